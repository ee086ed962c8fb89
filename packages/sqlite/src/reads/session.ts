import { DatabaseSync, type StatementSync } from 'node:sqlite';

import type { RelationPath, Snapshot } from '@proj/engine/database';
import { LRUCache } from 'lru-cache';

import {
  areEqual,
  type FileStamp,
  hasWriteAheadLog,
  readStamp,
  wasWritten,
} from '../versions/file-stamp.ts';
import { defineFunctions } from '../values/functions.ts';
import { PrepareError, StaleConnectionError, UnreadableFileError } from './reader-errors.ts';
import { inSnapshot } from './snapshot.ts';
import { VersionedRelations } from '../introspection/view-version.ts';

/**
 * How long a read waits for a writer that holds the whole file, in milliseconds. Only the reader
 * process waits.
 */
const BUSY_TIMEOUT_MS = 1000;

/**
 * How many KiB of the file a connection keeps at most. Of SQLite's own 2 MB, a join with a table of
 * 100,000 rows leaves nothing for the rows that it looks up, and takes four times as long.
 */
const CACHE_KIB = 8192;

/** A read-only connection with its prepared statements. */
export class Session {
  readonly database: DatabaseSync;
  /** Which generation of the file is open: see `FileState`. */
  readonly generation: number;
  readonly #path: string;
  /** Which file is open: the path may come to name another. */
  readonly #file: string;
  readonly #statements = new LRUCache<string, StatementSync>({ max: 200 });
  /** Which relations have versions, for the schema with this `schema_version`. */
  #versioned: { readonly schema: unknown; readonly relations: VersionedRelations } | undefined;
  /** The file in the last snapshot, and the count of commits that SQLite had noticed. */
  #last: { readonly stamp: FileStamp; readonly commits: unknown } | undefined;

  /** @throws when the file does not exist or is not a database; it never creates one. */
  constructor(path: string, generation: number) {
    this.generation = generation;
    this.#path = path;
    this.#file = readStamp(path).file;
    this.database = new DatabaseSync(path, {
      readOnly: true,
      timeout: BUSY_TIMEOUT_MS,
      allowExtension: false,
    });
    this.database.exec(`pragma cache_size = -${CACHE_KIB}`);
    defineFunctions(this.database);
  }

  /**
   * Reads in one snapshot of one file.
   *
   * @throws {StaleConnectionError} when another connection has to be opened
   * @throws {UnreadableFileError} when the file is empty, or was overwritten meanwhile by a program
   *   other than SQLite; this connection must not be used again
   */
  async read<Value>(work: (snapshot: Snapshot) => Promise<Value>): Promise<Value> {
    if (readStamp(this.#path).file !== this.#file)
      throw new StaleConnectionError(`${this.#path} names another file.`);
    return inSnapshot(this, async (snapshot) => {
      const before = this.#currentStamp();
      try {
        return await work(snapshot);
      } finally {
        this.#refuseOverwritten(before);
      }
    });
  }

  /**
   * Prepares a statement, once for each SQL text. Its rows come as arrays and its integers as
   * bigints.
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

  /** Whether relations have the version of the file. Call it in the snapshot that it is about. */
  isVersioned(relations: readonly RelationPath[]): boolean {
    const [schema] = Object.values(this.prepare('pragma schema_version').get() ?? {});
    if (this.#versioned?.schema !== schema)
      this.#versioned = { schema, relations: new VersionedRelations(this.database) };
    const known = this.#versioned?.relations;
    return relations.every(([name = '']) => known?.refusalOf(name) === undefined);
  }

  close(): void {
    this.database.close();
  }

  #compile(sql: string): StatementSync {
    try {
      return this.database.prepare(sql);
    } catch (cause) {
      throw new PrepareError(cause instanceof Error ? cause.message : String(cause), { cause });
    }
  }

  /**
   * The stamp of the file in this snapshot. If the file has changed and SQLite has not noticed, it
   * would read pages of the old contents from its cache, so the connection is refused.
   */
  #currentStamp(): FileStamp {
    // Also begins the snapshot: SQLite looks for commits of others then.
    const [commits] = Object.values(this.prepare('pragma data_version').get() ?? {});
    const stamp = readStamp(this.#path);
    if (stamp.size === 0n) throw new UnreadableFileError(`${this.#path} is empty.`);
    const last = this.#last;
    const missed = last !== undefined && last.commits === commits && !areEqual(last.stamp, stamp);
    if (missed)
      throw new StaleConnectionError(`${this.#path} has changed, and SQLite has not noticed.`);
    this.#last = { stamp, commits };
    return stamp;
  }

  /**
   * Fails if the file was written to during the snapshot. SQLite's lock keeps SQLite from that,
   * except for a checkpoint of a write-ahead log, but not other programs.
   */
  #refuseOverwritten(before: FileStamp): void {
    if (!wasWritten(before, readStamp(this.#path)) || hasWriteAheadLog(this.#path)) return;
    throw new UnreadableFileError(`${this.#path} was overwritten while it was read.`);
  }
}
