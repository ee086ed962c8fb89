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
import type { Row } from '../../connection/connection.ts';
import type { Database } from '../../connection/database.ts';
import { errorKind } from '../../connection/errors.ts';
import { lockRelations } from '../../connection/lock.ts';
import { inOrder } from '../../connection/running-work.ts';

/** Asks for the only row of a statement. */
export type AskRow = (statement: Statement) => Promise<Row>;

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
