import { hash } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

import { Files } from '@proj/engine/database';

import { SideFiles } from './side-files.ts';
import { hasWriteAheadLog, WalIndex } from './wal-index.ts';

export interface FileState {
  /** Grows when readers must reopen the file, after a change that SQLite does not notice. */
  readonly generation: number;
  /** The same at two moments, in any process, only if the data is. Undefined where uncertain. */
  readonly version: string | undefined;
}

/** The file at one moment, with its `PRAGMA data_version`. */
interface Sighting {
  readonly stamp: Files.FileStamp;
  readonly commits: unknown;
  /** What its write-ahead log holds; undefined where unknown. */
  readonly log: string | undefined;
  version?: string;
}

/** Tries for equal stamps before and after. Constant commits may prevent that: no version then. */
const MOST_LOOKS = 5;

/**
 * `PRAGMA data_version` moves with every commit of other connections, and compares within one
 * connection only, so this has one that does nothing else, and never waits.
 */
export class FileVersion {
  readonly #path: string;
  readonly #sideFiles = new SideFiles();
  #generation = 0;
  #database: DatabaseSync | undefined;
  #walIndex: WalIndex | undefined;
  #pragma: StatementSync | undefined;
  #last: Sighting | undefined;
  /** Whose log was beside it. */
  #logged: { readonly file: string; readonly log: string | undefined } | undefined;
  #isAmbiguous = false;
  #seenAt = 0;
  #readableAt = 0;
  #closed = false;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * @throws {QueryFailedError} `database_unavailable` for an empty file, during an overwrite, or
   *   beside the log of another file
   */
  look(): FileState {
    const sighting = this.#tryLook();
    if (sighting?.stamp.size === 0n) throw Files.unavailable(`${this.#path} is empty.`);
    if (sighting !== undefined && sighting.stamp.file !== this.#logged?.file)
      this.#refuseForeignLog(sighting.stamp);
    if (performance.now() < this.#readableAt)
      throw Files.unavailable(`${this.#path} is being overwritten.`);
    return { generation: this.#generation, version: sighting && this.#versionOf(sighting) };
  }

  /** Undefined while a writer holds the whole file, just after a write, or if it cannot be read. */
  read(): string | undefined {
    try {
      return this.look().version;
    } catch {
      return undefined;
    }
  }

  /** Nobody else may look: closing the file drops all locks of the process on it. */
  get isInWalMode(): boolean {
    this.read();
    try {
      return this.#database?.prepare('pragma journal_mode').get()?.['journal_mode'] === 'wal';
    } catch {
      // In WAL mode no writer holds the whole file.
      return false;
    }
  }

  close(): void {
    this.#closed = true;
    this.#disconnect();
    this.#sideFiles.remove();
  }

  /** SQLite would mix the new file with what the log holds of the one before. */
  #refuseForeignLog({ file }: Files.FileStamp): void {
    const log = this.#walIndex?.logFile;
    if (log !== undefined && log === this.#logged?.log && hasWriteAheadLog(this.#path)) {
      this.#last = undefined;
      this.#disconnect();
      const path = this.#path;
      throw Files.unavailable(
        `${path} was replaced, and ${path}-wal is of the file before: remove it, and ${path}-shm.`,
      );
    }
    this.#logged = { file, log };
  }

  #versionOf(sighting: Sighting): string | undefined {
    const { stamp, log } = sighting;
    if (Files.unsettledMs(stamp, this.#seenAt) > 0 || log === undefined || this.#isAmbiguous)
      return undefined;
    if (sighting.version !== undefined) return sighting.version;
    const { file, size, modifiedNs, changedNs } = stamp;
    const state = [file, size, modifiedNs, changedNs, log].join(' ');
    return (sighting.version = hash('sha1', state, 'base64url'));
  }

  #tryLook(): Sighting | undefined {
    if (this.#closed) return undefined;
    try {
      for (let looks = 0; looks < MOST_LOOKS; looks++) {
        const stamp = Files.readStamp(this.#path);
        if (stamp.size === 0n) return { stamp, commits: undefined, log: undefined };
        const log = this.#walIndex?.read();
        const last = this.#last;
        // No two states of a log are alike, so nothing was committed since.
        if (last && log && last.log === log && Files.areEqual(last.stamp, stamp)) return last;
        const commits = this.#commits(stamp);
        // A commit in between changes one of the two.
        if (Files.areEqual(Files.readStamp(this.#path), stamp) && this.#walIndex?.read() === log)
          return this.#note({ stamp, commits, log });
      }
    } catch {
      // Readers of the file report why.
    }
    return undefined;
  }

  #note(sighting: Sighting): Sighting {
    const last = this.#last;
    this.#last = sighting;
    const { file } = sighting.stamp;
    if (file === this.#logged?.file) this.#logged = { file, log: this.#walIndex?.logFile };
    if (last !== undefined && Files.areEqual(last.stamp, sighting.stamp)) {
      // A commit leaves a new time, as fine as the file system's clock.
      if (sighting.log === '' && last.commits !== sighting.commits) this.#isAmbiguous = true;
      return sighting;
    }
    this.#isAmbiguous = false;
    this.#seenAt = performance.now();
    const isBySqlite =
      last === undefined ||
      last.stamp.file !== sighting.stamp.file ||
      last.commits !== sighting.commits;
    if (isBySqlite) return sighting;
    const isForeign = Files.wasWritten(last.stamp, sighting.stamp) && !hasWriteAheadLog(this.#path);
    if (isForeign)
      this.#readableAt = this.#seenAt + Files.QUIET_MS - Math.max(0, Files.ageMs(sighting.stamp));
    this.#last = { ...sighting, commits: this.#reconnect() };
    return this.#last;
  }

  /** Of the file now at the path: another may have replaced the open one. */
  #commits(stamp: Files.FileStamp): unknown {
    if (this.#pragma === undefined || stamp.file !== this.#last?.stamp.file)
      return this.#reconnect();
    return valueOf(this.#pragma);
  }

  #reconnect(): unknown {
    this.#disconnect();
    this.#generation += 1;
    this.#sideFiles.note(this.#path);
    this.#database = new DatabaseSync(this.#path, {
      readOnly: true,
      timeout: 0,
      allowExtension: false,
    });
    this.#walIndex = new WalIndex(this.#path);
    this.#pragma = this.#database.prepare('pragma data_version');
    return valueOf(this.#pragma);
  }

  #disconnect(): void {
    this.#database?.close();
    this.#database = undefined;
    this.#walIndex?.close();
    this.#walIndex = undefined;
    this.#pragma = undefined;
  }
}

function valueOf(pragma: StatementSync): unknown {
  return pragma.get()?.['data_version'];
}
