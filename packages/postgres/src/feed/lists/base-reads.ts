import {
  compile,
  Deadlines,
  type Dialect,
  type Statement,
  type StatementSession,
} from '@proj/engine/database';
import { sql } from 'kysely';

import { importOf } from '../../connection/caller-session.ts';
import type { AskRow, Row } from '../../connection/connection.ts';
import type { Database } from '../../connection/database.ts';
import { errorKind } from '../../connection/errors.ts';
import { lockRelations } from '../../connection/lock.ts';
import { type Ask, inOrder } from '../../connection/running-work.ts';
import type { RelationLog } from '../changes/relation-log.ts';
import type { TransactionSnapshot } from '../../log/snapshot.ts';
import { stampOf } from '../relations/stamp.ts';
import type { BaseSnapshot } from './base.ts';
import type { ListedRelation } from './ordered-lists.ts';
import { type FoundRows, type FoundTwice, NOTHING, type TouchedRows } from './touched-rows.ts';

/** Beyond this, a count is cheaper. */
const LIMIT = { timeoutMs: 1000 };

/** Lists are counted again where more rows may differ. */
const MOST_KEYS = 5000;

export interface LockedRead {
  readonly relation: ListedRelation;
  readonly snapshot: TransactionSnapshot;
  readonly ask: Ask;
}

export interface SeenList extends FoundTwice {
  /** Undefined for a list of all rows. */
  readonly total: bigint | undefined;
}

export interface Differing {
  readonly keys: ReadonlySet<string>;
  readonly touched: TouchedRows;
}

export interface BaseReadsParts {
  readonly bases: Database;
  readonly dialect: Dialect;
  /** Asks as the feed, in a snapshot taken after the call. */
  readonly askNow: AskRow;
}

/**
 * Asks base snapshots about relations. TRUNCATE and rewriting ALTERs empty a table for older
 * snapshots too, and base snapshots hold no lock. So somebody else must hold one, have seen the
 * followed schema since, and the base must see it too.
 */
export class BaseReads {
  readonly #parts: BaseReadsParts;

  constructor(parts: BaseReadsParts) {
    this.#parts = parts;
  }

  /** Asks each question in the base and in the read; undefined for an unreliable base. */
  async compare(
    base: BaseSnapshot,
    { relation, snapshot, ask }: LockedRead,
    { keys, touched }: Differing,
  ): Promise<readonly FoundTwice[] | undefined> {
    if (keys.size === 0 && base.proven.has(relation.token))
      return touched.questions.map(() => NOTHING);
    const { last } = touched;
    const isKnown = last?.base === base && relation.log.isSame(last.snapshot, snapshot);
    if (isKnown) return last.found;
    const statements = touched.statements(keys);
    const asked = this.#askIn(base, { relation, statements }).catch(() => undefined);
    const read = statements.map((statement) => ask({ ...statement, named: true }));
    const [now, before] = await inOrder([inOrder(read), asked]);
    const stamp = { ...relation.stamp, named: true };
    const isAsked = before !== undefined && (await isStillSo(relation, () => ask(stamp)));
    if (!isAsked) return undefined;
    const found = paired(touched.read(before), touched.read(now));
    touched.last = { base, snapshot, found };
    return found;
  }

  /** As {@link compare}, with the next base snapshot, whose transaction holds the lock. */
  async compareNext(
    base: BaseSnapshot,
    next: BaseSnapshot,
    { relation, keys, touched }: Differing & { readonly relation: ListedRelation },
  ): Promise<readonly FoundTwice[] | undefined> {
    const question = { relation, statements: touched.statements(keys) };
    let before: readonly Row[] | undefined;
    const now = await this.#askIn(next, question, async () => {
      const [stamp, found] = await inOrder([this.#stampNow(relation), this.#askIn(base, question)]);
      if (!relation.describes(stampOf(stamp))) return false;
      before = found;
      return before !== undefined && isStillSo(relation, () => this.#stampNow(relation));
    });
    return before && now && paired(touched.read(before), touched.read(now));
  }

  /** Locks the relation. Undefined or rejected where an `alter` waits: that would be a deadlock. */
  askAt<Value>(
    base: BaseSnapshot,
    { path, shown }: ListedRelation,
    work: (ask: AskRow) => Promise<Value>,
  ): Promise<Value | undefined> {
    const { exported: snapshot } = base;
    const lock = compile(sql`${lockRelations([sql.id(...path)])} nowait`, this.#parts.dialect);
    // A caller's session begins with both itself.
    const begin = shown === undefined ? [lock, importOf(snapshot)] : [];
    const session = shown && { ...shown.session, lock, snapshot };
    return base.use(() =>
      this.#inBases(session, async (ask) => {
        const begun = begin.map(ask);
        const done = work((statement) => ask({ ...statement, named: true }));
        try {
          await inOrder(begun);
        } catch (error) {
          await done.catch(() => undefined);
          if (errorKind(error) === 'locked') return undefined;
          throw error;
        }
        return done;
      }),
    );
  }

  #inBases<Value>(
    session: StatementSession | undefined,
    work: (ask: Ask) => Promise<Value>,
  ): Promise<Value> {
    return Deadlines.withDeadline(LIMIT, (call) =>
      this.#parts.bases.inSnapshot(work, { ...call, session }),
    );
  }

  #stampNow({ stamp, shown }: ListedRelation): Promise<Row> {
    if (shown === undefined) return this.#parts.askNow(stamp);
    return this.#inBases({ ...shown.session, lock: undefined }, (ask) => ask(stamp));
  }

  /** @param isReliable runs while the asking transaction holds its lock */
  #askIn(
    base: BaseSnapshot,
    { relation, statements }: { relation: ListedRelation; statements: readonly Statement[] },
    isReliable = async (): Promise<boolean> => true,
  ): Promise<readonly Row[] | undefined> {
    const { token, stamp } = relation;
    const stamps = base.proven.has(token) ? [] : [stamp];
    return this.askAt(base, relation, async (ask) => {
      const asked = inOrder(statements.map(ask));
      const [[seen], rows] = await inOrder([inOrder(stamps.map(ask)), asked]);
      if (seen !== undefined && !relation.describes(stampOf(seen))) return undefined;
      if (!(await isReliable())) return undefined;
      base.proven.add(token);
      return rows;
    });
  }
}

/** No lock keeps others from replacing functions of types that are not built in. */
async function isStillSo(relation: ListedRelation, stamp: () => Promise<Row>): Promise<boolean> {
  return !relation.hasOwnTypes || relation.describes(stampOf(await stamp()));
}

function paired(before: readonly FoundRows[], now: readonly FoundRows[]): FoundTwice[] {
  return before.flatMap((found, place) => {
    const later = now[place];
    return later === undefined ? [] : [{ before: found, now: later }];
  });
}

export function differingKeys(
  log: RelationLog,
  base: BaseSnapshot,
  snapshot: TransactionSnapshot,
): ReadonlySet<string> | undefined {
  if (!base.covers(log)) return undefined;
  const keys = log.differingKeys(base.snapshot, snapshot);
  return keys === undefined || keys.size > MOST_KEYS ? undefined : keys;
}
