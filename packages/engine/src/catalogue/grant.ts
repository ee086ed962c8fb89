import { hash } from 'node:crypto';
import { type Filter, readFilter } from '@proj/contract';

import { type DatabaseSession, sessionShape } from './database-session.ts';
import type { Catalogue, Model } from './model.ts';

export interface ModelGrant {
  readonly attributes: 'all' | ReadonlySet<string>;
  /** The smaller of this and the model's own is in force. */
  readonly maxPageSize?: number;
  /** A filter added to every query. It may compare hidden attributes. */
  readonly rowPolicy?: Filter;
}

export type GrantedModels = 'all' | ReadonlyMap<string, ModelGrant>;

/** What a caller may see; all else does not exist. A class, so that no grant lacks its key. */
export class Grant {
  readonly models: GrantedModels;
  /** Undefined for the service. */
  readonly session: DatabaseSession | undefined;
  /** Equal only for grants of the same models, attributes and page sizes, whatever the rows. */
  readonly shape: string;
  /** Equal only for grants that show the same; caches use it. */
  readonly key: string;

  /** @throws {TypeError} when a row policy is no filter */
  constructor(models: GrantedModels, session?: DatabaseSession) {
    this.models = models === 'all' ? models : withReadPolicies(models);
    this.session = session;
    this.shape = shapeOf(this.models);
    const granted = this.models === 'all' ? [] : [...this.models.values()];
    const policies = granted.map(({ rowPolicy }) => rowPolicy ?? null);
    this.key = hashOf([this.shape, policies, session && sessionShape(session)]);
    Object.freeze(this);
  }
}

/** In order of the names. */
function withReadPolicies(models: ReadonlyMap<string, ModelGrant>): Map<string, ModelGrant> {
  const inOrder = [...models].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return new Map(
    inOrder.map(([name, grant]) => {
      if (grant.rowPolicy === undefined) return [name, grant];
      const { filter, errors } = readFilter(grant.rowPolicy, []);
      if (filter !== undefined) return [name, { ...grant, rowPolicy: filter }];
      throw new TypeError(`The row policy of ${name} is no filter. ${errors[0]?.detail ?? ''}`);
    }),
  );
}

export const EVERYTHING: Grant = new Grant('all');

function shapeOf(models: GrantedModels): string {
  if (models === 'all') return models;
  const shown = [...models].map(([name, { attributes, maxPageSize }]) => {
    const names = attributes === 'all' ? attributes : [...attributes].toSorted();
    return { name, names, maxPageSize };
  });
  return hashOf(shown);
}

function hashOf(content: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(content, withNumbers), 'base64url');
}

/** JSON has one text for NaN and the infinities. As a filter's value, such an object means them. */
function withNumbers(_key: string, value: unknown): unknown {
  const isLost = typeof value === 'number' && !Number.isFinite(value);
  return isLost ? { number: String(value) } : value;
}

export interface VisibleModel {
  readonly visible: Model;
  readonly full: Model;
  readonly rowPolicy: Filter | undefined;
}

export function visibleModel(
  catalogue: Catalogue,
  { models }: Grant,
  name: string,
): VisibleModel | undefined {
  const full = catalogue.get(name);
  if (full === undefined) return undefined;
  if (models === 'all') return { visible: full, full, rowPolicy: undefined };
  const granted = models.get(name);
  return granted && { visible: withGrant(full, granted), full, rowPolicy: granted.rowPolicy };
}

export function visibleModels(catalogue: Catalogue, grant: Grant): Model[] {
  return [...catalogue.keys()].flatMap(
    (name) => visibleModel(catalogue, grant, name)?.visible ?? [],
  );
}

function withGrant(model: Model, { attributes, maxPageSize }: ModelGrant): Model {
  const visible = [...model.attributes].filter(
    ([name]) => attributes === 'all' || attributes.has(name),
  );
  return Object.freeze({
    ...model,
    attributes: new Map(visible),
    maxPageSize: Math.min(maxPageSize ?? Infinity, model.maxPageSize),
  });
}
