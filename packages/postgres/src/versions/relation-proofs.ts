import { isDeepStrictEqual } from 'node:util';

import {
  compile,
  Deadlines,
  type Dialect,
  QueryFailedError,
  type Relation,
  type RelationPath,
  type SessionRole,
  type StatementSession,
} from '@proj/engine/database';
import { sql } from 'kysely';

import type { Row } from '../connection/connection.ts';
import type { Database } from '../connection/database.ts';
import { OBSERVED, ROUNDS } from '../connection/server-proof.ts';
import { quotedPath } from '../values/sql-text.ts';

const BATCH = 50;

const OWN = sql.raw(OBSERVED);

const LIMIT = { timeoutMs: 10_000 };

/** Finds relations that another process answers, as behind a proxy that distributes tables. */
export class RelationProofs {
  readonly #database: Database;
  readonly #dialect: Dialect;
  readonly #known = new Map<string, boolean>();

  constructor(database: Database, dialect: Dialect) {
    this.#database = database;
    this.#dialect = dialect;
  }

  get spread(): string[] {
    return [...this.#known].flatMap(([path, isProven]) => (isProven ? [] : [path]));
  }

  isProven(path: RelationPath): boolean {
    return this.#known.get(quotedPath(path)) === true;
  }

  /** Spread relations lose snapshots and versions. Tries callers' `sessions`, too. */
  async appliedTo(
    relations: readonly Relation[],
    sessions: readonly SessionRole[],
  ): Promise<Relation[]> {
    for (const reader of [undefined, ...sessions.map(sessionOf)]) {
      const asked = relations.filter(({ path }) => !this.#known.has(quotedPath(path)));
      for (let first = 0; first < asked.length; first += BATCH)
        await this.#ask(asked.slice(first, first + BATCH), reader);
    }
    return relations.map((relation) =>
      this.isProven(relation.path) ? relation : withoutSnapshots(relation),
    );
  }

  /** In one transaction; if that fails, each alone, since one failure fails them all. */
  async #ask(relations: readonly Relation[], session?: StatementSession): Promise<void> {
    try {
      const [own, ...rows] = await this.#observe(relations, session);
      for (const [index, relation] of relations.entries()) {
        const seen = rows.slice(index * ROUNDS, (index + 1) * ROUNDS);
        this.#known.set(
          quotedPath(relation.path),
          seen.every((row) => isDeepStrictEqual(row, own)),
        );
      }
    } catch (error) {
      if (error instanceof QueryFailedError && !OF_RELATIONS.has(error.code)) throw error;
      if (relations.length > 1) for (const one of relations) await this.#ask([one], session);
    }
  }

  #observe(relations: readonly Relation[], session?: StatementSession): Promise<Row[]> {
    // Policies aren't evaluated for rows known to be none.
    const none = session === undefined ? sql`limit 0` : sql`where false`;
    const texts = relations.flatMap(({ path }) => {
      const rows = sql`(select from ${sql.id(...path)} ${none})`;
      const text = sql`${OWN} from (select) as one left join ${rows} as other on true`;
      return Array<typeof text>(ROUNDS).fill(text);
    });
    const statements = [OWN, ...texts].map((text) => compile(text, this.#dialect));
    return Deadlines.withDeadline(LIMIT, (call) =>
      this.#database.askTogether(statements, { ...call, session }),
    );
  }
}

function sessionOf({ role, settings }: SessionRole): StatementSession {
  return {
    role,
    settings: Object.fromEntries(settings.map((name) => [name, ''])),
    lock: undefined,
    endsWithVersion: false,
    calls: [],
    readsUnlocked: false,
    cut: [],
  };
}

export function withoutSnapshots(relation: Relation): Relation {
  return { ...relation, snapshots: false, versioned: false };
}

const OF_RELATIONS: ReadonlySet<QueryFailedError['code']> = new Set([
  'schema_changed',
  'model_unreadable',
  'session_refused',
  'policy_failed',
]);
