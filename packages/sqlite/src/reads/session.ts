import { DatabaseSync, type StatementSync } from 'node:sqlite';

import { Files, type RelationPath, type Snapshot } from '@proj/engine/database';
import { LRUCache } from 'lru-cache';

import { defineFunctions } from '../values/functions.ts';
import {
  PrepareError,
  StaleConnectionError,
  UnreadableFileError,
} from '../connection/reader-protocol.ts';
import { inSnapshot } from './snapshot.ts';
import { VersionedRelations } from '../introspection/view-version.ts';
import { hasWriteAheadLog } from '../versions/wal-index.ts';

/** In milliseconds; only the reader waits for a writer that holds the whole file. */
const BUSY_TIMEOUT_MS = 1000;

/** With SQLite's own 2 MB, a join with 100,000 rows evicts what it looks up: four times slower. */
const CACHE_KIB = 8192;

export class Session {
  readonly database: DatabaseSync;
  readonly generation: number;
  readonly #path: string;
  /** Another file may take its path. */
  readonly #file: string;
  readonly #statements = new LRUCache<string, StatementSync>({ max: 200 });
  /** Relations that have versions under this `schema_version`. */
  #versioned: { readonly schema: unknown; readonly relations: VersionedRelations } | undefined;
  /** The file in the last snapshot, and SQLite's count of commits. */
  #last: { readonly stamp: Files.FileStamp; readonly commits: unknown } | undefined;

  /** @throws when the file does not exist or is no database */
  constructor(path: string, generation: number) {
    this.generation = generation;
    this.#path = path;
    this.#file = Files.readStamp(path).file;
    this.database = new DatabaseSync(path, {
      readOnly: true,
      timeout: BUSY_TIMEOUT_MS,
      allowExtension: false,
    });
    this.database.exec(`pragma cache_size = -${CACHE_KIB}`);
    defineFunctions(this.database);
  }

  /** @throws {StaleConnectionError | UnreadableFileError} after which it can't be used again */
  async read<Value>(work: (snapshot: Snapshot) => Promise<Value>): Promise<Value> {
    if (Files.readStamp(this.#path).file !== this.#file)
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

  /** Rows are arrays, integers bigints. @throws {PrepareError} with SQLite's error as its cause */
  prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#compile(sql);
    statement.setReturnArrays(true);
    statement.setReadBigInts(true);
    this.#statements.set(sql, statement);
    return statement;
  }

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

  /** Refuses a file that changed unnoticed: SQLite would read old pages from its cache. */
  #currentStamp(): Files.FileStamp {
    // Also begins the snapshot: SQLite looks for commits now.
    const [commits] = Object.values(this.prepare('pragma data_version').get() ?? {});
    const stamp = Files.readStamp(this.#path);
    if (stamp.size === 0n) throw new UnreadableFileError(`${this.#path} is empty.`);
    const last = this.#last;
    const missed =
      last !== undefined && last.commits === commits && !Files.areEqual(last.stamp, stamp);
    if (missed)
      throw new StaleConnectionError(`${this.#path} has changed, and SQLite has not noticed.`);
    this.#last = { stamp, commits };
    return stamp;
  }

  /** SQLite's lock stops only SQLite, except for a checkpoint of a write-ahead log. */
  #refuseOverwritten(before: Files.FileStamp): void {
    if (!Files.wasWritten(before, Files.readStamp(this.#path)) || hasWriteAheadLog(this.#path))
      return;
    throw new UnreadableFileError(`${this.#path} was overwritten while it was read.`);
  }
}
