import { hash } from 'node:crypto';

import { type Filter, readFilter } from '@proj/contract';

import { type DatabaseSession, sessionShape } from './database-session.ts';

/** What a caller may see of one model. */
export interface ModelGrant {
  readonly attributes: 'all' | ReadonlySet<string>;
  /** The largest page size; the smaller of this and the model's own is in force. */
  readonly maxPageSize?: number;
  /**
   * A filter that is added to every query of the caller. It may compare attributes that the caller
   * does not see.
   */
  readonly rowPolicy?: Filter;
}

/** The models of a grant by name, or every model of the catalogue. */
export type GrantedModels = 'all' | ReadonlyMap<string, ModelGrant>;

/**
 * What a caller may see. Everything else does not exist for that caller. A class, so that no grant
 * is made, or copied with a change, without its key.
 */
export class Grant {
  readonly models: GrantedModels;
  /** As whom the database reads; undefined where that is the service. */
  readonly session: DatabaseSession | undefined;
  /** The same for grants that show the same, and for no others; what is cached goes by it. */
  readonly key: string;

  /** @throws {TypeError} when a row policy is no filter */
  constructor(models: GrantedModels, session?: DatabaseSession) {
    this.models = models === 'all' ? models : withReadPolicies(models);
    this.session = session;
    this.key = keyOf(this.models, session);
    Object.freeze(this);
  }
}

/** Row policies are read as filters of requests are: what is left out has its default. */
function withReadPolicies(models: ReadonlyMap<string, ModelGrant>): Map<string, ModelGrant> {
  return new Map(
    [...models].map(([name, grant]) => {
      if (grant.rowPolicy === undefined) return [name, grant];
      const { filter, errors } = readFilter(grant.rowPolicy, []);
      if (filter !== undefined) return [name, { ...grant, rowPolicy: filter }];
      throw new TypeError(`The row policy of ${name} is no filter. ${errors[0]?.detail ?? ''}`);
    }),
  );
}

/** The grant of a token that may read every exposed model. */
export const EVERYTHING: Grant = new Grant('all');

function keyOf(models: GrantedModels, session: DatabaseSession | undefined): string {
  const shown = models === 'all' ? models : [...models].toSorted(byName).map(modelContent);
  const content = session === undefined ? shown : { shown, session: sessionShape(session) };
  return hash('sha256', JSON.stringify(content, withNumbers), 'base64url');
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function modelContent([name, { attributes, maxPageSize, rowPolicy }]: readonly [
  string,
  ModelGrant,
]): unknown {
  const names = attributes === 'all' ? attributes : [...attributes].toSorted();
  return { name, names, maxPageSize, rowPolicy };
}

/** JSON has one text for NaN and the infinities; no filter holds an object in place of a value. */
function withNumbers(_key: string, value: unknown): unknown {
  const isLost = typeof value === 'number' && !Number.isFinite(value);
  return isLost ? { number: String(value) } : value;
}
