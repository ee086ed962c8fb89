import {
  compile,
  Deadlines,
  type Dialect,
  type RelationPath,
  type Statement,
  type StatementSession,
} from '@proj/engine/database';
import { sql } from 'kysely';

import { importOf } from '../../connection/caller-session.ts';
import type { AskRow, Row } from '../../connection/connection.ts';
import type { Database } from '../../connection/database.ts';
import { errorKind } from '../../connection/errors.ts';
import { lockRelations } from '../../connection/lock.ts';
import { inOrder } from '../../connection/running-work.ts';
import type { SessionStatement } from '../../connection/session.ts';
import type { RelationLog } from '../changes/relation-log.ts';
import type { TransactionSnapshot } from '../../log/snapshot.ts';
import { stampOf } from '../relations/stamp.ts';
import type { BaseSnapshot } from './base.ts';
import type { ListedRelation } from './listed-order.ts';
import type { FoundRows, TouchedRows } from './touched-rows.ts';

/** What takes longer is worth less than a count. */
const LIMIT = { timeoutMs: 1000 };

/** What is read of an exported snapshot. */
export interface ExportedRead {
  readonly exported: string;
  readonly relation: RelationPath;
  /** As whom it is read. Undefined: as the role that reads pages. */
  readonly session: StatementSession | undefined;
}

/** Reads what exported snapshots see. */
export class ExportedReads {
  readonly dialect: Dialect;
  readonly #database: Database;

  constructor(database: Database, dialect: Dialect) {
    this.#database = database;
    this.dialect = dialect;
  }

  /**
   * Does work in a snapshot, in a transaction of its own that locks a relation. Undefined, or
   * rejected, where somebody waits to alter the relation: that would wait for a read, which waits
   * for this.
   */
  at<Value>(
    { exported, relation, session }: ExportedRead,
    work: (ask: AskRow) => Promise<Value>,
  ): Promise<Value | undefined> {
    const lock = compile(sql`${lockRelations([sql.id(...relation)])} nowait`, this.dialect);
    if (session !== undefined)
      return this.#asCaller({ ...session, lock, snapshot: exported }, work);
    return Deadlines.withDeadline(LIMIT, (call) =>
      this.#database.inSnapshot(async (ask) => {
        const askRow: AskRow = (statement) => ask({ statement, named: true });
        const begun = [ask({ statement: lock, named: false }), ask(importOf(exported))];
        const done = work(askRow);
        try {
          await inOrder(begun);
        } catch (error) {
          await done.catch(() => undefined);
          if (errorKind(error) === 'locked') return undefined;
          throw error;
        }
        return done;
      }, call),
    );
  }

  /** Asks as a caller, in a snapshot that is taken after the call. */
  now(statement: Statement, session: StatementSession): Promise<Row> {
    return this.#asCaller({ ...session, lock: undefined }, (ask) => ask(statement));
  }

  #asCaller<Value>(
    session: StatementSession,
    work: (ask: AskRow) => Promise<Value>,
  ): Promise<Value> {
    return Deadlines.withDeadline(LIMIT, (call) =>
      this.#database.inSnapshot((ask) => work((statement) => ask({ statement, named: false })), {
        ...call,
        session,
      }),
    );
  }
}

/** Lists are counted again where so many rows may differ. */
const MOST_KEYS = 5000;

/** A read of a relation, while its transaction holds a lock. */
export interface LockedRead {
  readonly relation: ListedRelation;
  readonly snapshot: TransactionSnapshot;
  readonly ask: (statement: SessionStatement) => Promise<Row>;
}

/** What a list has of some rows in a base snapshot, and in a later or an earlier one. */
export interface FoundTwice {
  readonly before: FoundRows;
  readonly now: FoundRows;
}

/** Rows that may differ between two snapshots, and what is asked of them. */
export interface Differing {
  /** As {@link TouchedRows.statements} takes them. */
  readonly keys: ReadonlySet<string>;
  readonly touched: TouchedRows;
}

interface AskedInBase {
  readonly relation: ListedRelation;
  readonly statements: readonly Statement[];
}

/**
 * Asks base snapshots about relations. A `truncate`, and an `alter` that writes a table anew, empty
 * the table for older snapshots too, and a base snapshot holds no lock that would keep others from
 * them. So it is asked while somebody holds a lock, has seen since then that the schema is the one
 * that is followed, and only where the base snapshot sees that schema too.
 */
export class BaseReads {
  readonly #reads: ExportedReads;
  readonly #askNow: AskRow;

  /** @param askNow asks as the feed, in a snapshot that is taken after the call */
  constructor(reads: ExportedReads, askNow: AskRow) {
    this.#reads = reads;
    this.#askNow = askNow;
  }

  /**
   * What lists have in a base snapshot and in that of a read, for each question that is asked.
   * Undefined where the former cannot be relied on.
   *
   * @throws what the read throws
   */
  async compare(
    base: BaseSnapshot,
    { relation, ask }: LockedRead,
    { keys, touched }: Differing,
  ): Promise<readonly FoundTwice[] | undefined> {
    const statements = touched.statements(keys);
    const asked = this.#askIn(base, { relation, statements }).catch(() => undefined);
    const read = statements.map((statement) => ask({ statement, named: true }));
    const [now, before] = await inOrder([inOrder(read), asked]);
    const stamp = { statement: relation.stamp, named: true };
    const isAsked = before !== undefined && (await isStillSo(relation, () => ask(stamp)));
    return isAsked ? paired(touched.read(before), touched.read(now)) : undefined;
  }

  /**
   * The same in a base snapshot and the next one: the transaction that reads in the latter holds
   * the lock.
   */
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

  /** Does work in a base snapshot; undefined where it cannot be asked at the moment. */
  askAt<Value>(
    base: BaseSnapshot,
    { path, shown }: ListedRelation,
    work: (ask: AskRow) => Promise<Value>,
  ): Promise<Value | undefined> {
    const read = { exported: base.exported, relation: path, session: shown?.session };
    return base.use(() => this.#reads.at(read, work));
  }

  #stampNow({ stamp, shown }: ListedRelation): Promise<Row> {
    return shown === undefined ? this.#askNow(stamp) : this.#reads.now(stamp, shown.session);
  }

  /** @param isReliable runs while the transaction that asks holds its lock */
  #askIn(
    base: BaseSnapshot,
    { relation, statements }: AskedInBase,
    isReliable = async (): Promise<boolean> => true,
  ): Promise<readonly Row[] | undefined> {
    const { token, path, stamp, shown } = relation;
    const { exported } = base;
    const stamps = base.isProven(token) ? [] : [stamp];
    return base.use(() =>
      this.#reads.at({ exported, relation: path, session: shown?.session }, async (ask) => {
        const asked = inOrder(statements.map(ask));
        const [[seen], rows] = await inOrder([inOrder(stamps.map(ask)), asked]);
        if (seen !== undefined && !relation.describes(stampOf(seen))) return undefined;
        if (!(await isReliable())) return undefined;
        base.noteProven(token);
        return rows;
      }),
    );
  }
}

/**
 * Whether a relation is as it was when it was asked about. PostgreSQL looks functions up as they
 * are at the moment, and no lock keeps others from replacing those of types that are not built in.
 */
async function isStillSo(relation: ListedRelation, stamp: () => Promise<Row>): Promise<boolean> {
  return !relation.hasOwnTypes || relation.describes(stampOf(await stamp()));
}

function paired(before: readonly FoundRows[], now: readonly FoundRows[]): FoundTwice[] {
  return before.flatMap((found, place) => {
    const later = now[place];
    return later === undefined ? [] : [{ before: found, now: later }];
  });
}

/** The keys of the rows that may differ; undefined where they are not known, or too many. */
export function differingKeys(
  log: RelationLog,
  base: BaseSnapshot,
  snapshot: TransactionSnapshot,
): ReadonlySet<string> | undefined {
  if (!base.covers(log)) return undefined;
  const keys = log.differingKeys(base.snapshot, snapshot);
  return keys === undefined || keys.size > MOST_KEYS ? undefined : keys;
}
