import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';

import { defineFunctions } from './functions.ts';

/** How long a read waits for a writer that holds the whole file, in milliseconds. Only the reader process waits. */
const BUSY_TIMEOUT_MS = 1000;

/** A statement could not be prepared: what it names is not there, or a view that it reads is broken. */
export class PrepareError extends Error {
  override readonly name = 'PrepareError';
}

/** A read-only connection with its prepared statements. */
export class ReaderConnection {
  readonly database: DatabaseSync;
  /** Which file is open: the path may come to name another. */
  readonly identity: string;
  readonly #statements = new LRUCache<string, StatementSync>({ max: 200 });

  /** @throws when the file does not exist or is not a database; it never creates one. */
  constructor(path: string, identity: string) {
    this.identity = identity;
    this.database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS, allowExtension: false });
    defineFunctions(this.database);
  }

  /**
   * Prepares a statement, once for each SQL text. Its rows come as arrays and its integers as bigints.
   *
   * @throws {PrepareError} with SQLite's own error as its cause.
   */
  prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#compile(sql);
    statement.setReturnArrays(true);
    statement.setReadBigInts(true);
    this.#statements.set(sql, statement);
    return statement;
  }
  #compile(sql: string): StatementSync {
    try {
      return this.database.prepare(sql);
    } catch (cause) {
      throw new PrepareError(cause instanceof Error ? cause.message : String(cause), { cause });
    }
  }
}
