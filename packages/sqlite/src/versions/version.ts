import { hash } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

import { QueryFailedError } from '@proj/engine/database';

import { areEqual, type FileStamp, hasWriteAheadLog, readStamp, wasWritten } from './file-stamp.ts';
import { SideFiles } from './side-files.ts';
import { WalIndex } from './wal-index.ts';

/** What is known of the file at one moment. */
export interface FileState {
  /**
   * Grows when readers have to open the file again, because it changed in a way that SQLite does
   * not notice.
   */
  readonly generation: number;
  /**
   * If the version is the same at two moments, the data did not change between them. It is the same
   * in every process. Undefined where that is not certain.
   */
  readonly version: string | undefined;
}

/** The file as it was at one moment, and what `PRAGMA data_version` said of it then. */
interface Sighting {
  readonly stamp: FileStamp;
  readonly commits: unknown;
  /** What its write-ahead log holds; undefined where that is not known. */
  readonly log: string | undefined;
}

/**
 * How long nobody must have written to a file, in milliseconds, after a program other than SQLite
 * wrote to it, before it is read again.
 */
const QUIET_MS = 1000;

/**
 * Two writes this far apart, in milliseconds, have different times in the file system: the kernel's
 * clock ticks every 10 ms at most.
 */
const TIME_STEP_MS = 20;

/**
 * The same for a file system that keeps whole seconds, such as FAT, whose steps are the longest.
 */
const COARSE_TIME_STEP_MS = 2000;

const NANOSECONDS_PER_SECOND = 1_000_000_000n;

/**
 * How often the file is looked at until its stamp is the same before and after. While others commit
 * that may never be so; then there is no version.
 */
const MOST_LOOKS = 5;

/**
 * Reports whether the file has changed, in microseconds and without waiting for anybody. `PRAGMA
 * data_version` moves on every commit of another connection, and its values can be compared only
 * within the connection that reads them; so there is one for the whole source, which does nothing
 * else. SQLite need not notice what other programs write to the file; the size and times of the
 * file show that.
 */
export class FileVersion {
  readonly #path: string;
  readonly #sideFiles = new SideFiles();
  #generation = 0;
  #database: DatabaseSync | undefined;
  #walIndex: WalIndex | undefined;
  #pragma: StatementSync | undefined;
  #last: Sighting | undefined;
  /** Whether the last stamp is that of two states. */
  #isAmbiguous = false;
  /** When the last stamp was first seen. */
  #seenAt = 0;
  /** When the file may be read again that a program other than SQLite wrote to. */
  #readableAt = 0;
  #closed = false;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * @throws {QueryFailedError} `database_unavailable` while the file is empty, or is being
   * overwritten by a program other than SQLite.
   */
  look(): FileState {
    const sighting = this.#tryLook();
    if (sighting?.stamp.size === 0n) throw unavailable(`${this.#path} is empty.`);
    if (performance.now() < this.#readableAt)
      throw unavailable(`${this.#path} is being overwritten.`);
    return { generation: this.#generation, version: sighting && this.#versionOf(sighting) };
  }

  /**
   * The version now; undefined while a writer holds the whole file, when it has just been written
   * to, or cannot be read.
   */
  read(): string | undefined {
    try {
      return this.look().version;
    } catch {
      return undefined;
    }
  }

  /**
   * Whether the file is in WAL mode, so that readers keep nobody from writing; as far as that is
   * known. Nobody else may look: closing a file gives up all locks of the process on it.
   */
  get isInWalMode(): boolean {
    this.read();
    try {
      return this.#database?.prepare('pragma journal_mode').get()?.['journal_mode'] === 'wal';
    } catch {
      // In WAL mode no writer holds the whole file.
      return false;
    }
  }

  /** Call it when the readers have the file open no longer. */
  close(): void {
    this.#closed = true;
    this.#disconnect();
    this.#sideFiles.remove();
  }

  #versionOf({ stamp, log }: Sighting): string | undefined {
    const isSettled = this.#stillMs(stamp) >= timeStepMs(stamp);
    if (!isSettled || log === undefined || this.#isAmbiguous) return undefined;
    const { file, size, modifiedNs, changedNs } = stamp;
    const state = [file, size, modifiedNs, changedNs, log].join(' ');
    return hash('sha1', state, 'base64url');
  }

  /**
   * The file as it is now; undefined while a writer holds the whole file, or when it cannot be
   * read.
   */
  #tryLook(): Sighting | undefined {
    if (this.#closed) return undefined;
    try {
      for (let looks = 0; looks < MOST_LOOKS; looks++) {
        const stamp = readStamp(this.#path);
        if (stamp.size === 0n) return { stamp, commits: undefined, log: undefined };
        const log = this.#walIndex?.read();
        const commits = this.#commits(stamp);
        // Whoever has committed in between has changed one of the two.
        if (areEqual(readStamp(this.#path), stamp) && this.#walIndex?.read() === log)
          return this.#note({ stamp, commits, log });
      }
    } catch {
      // Whoever reads the file will say why it cannot be read.
    }
    return undefined;
  }

  #note(sighting: Sighting): Sighting {
    const last = this.#last;
    this.#last = sighting;
    if (last !== undefined && areEqual(last.stamp, sighting.stamp)) {
      // A commit leaves a new time, as fine as the clock of the file system is.
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
    const isForeign = wasWritten(last.stamp, sighting.stamp) && !hasWriteAheadLog(this.#path);
    if (isForeign) this.#readableAt = this.#seenAt + QUIET_MS - Math.max(0, ageMs(sighting.stamp));
    this.#last = { ...sighting, commits: this.#reconnect() };
    return this.#last;
  }

  /**
   * For how long nobody has written to the file, in milliseconds, as far as is known here.
   */
  #stillMs(stamp: FileStamp): number {
    return Math.max(performance.now() - this.#seenAt, ageMs(stamp));
  }

  /**
   * The count of commits, of the file that the path names now: another may have taken the place of
   * the one that is open.
   */
  #commits(stamp: FileStamp): unknown {
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

/** How long ago the file was changed, in milliseconds, by the clock of the system. */
function ageMs({ changedNs }: FileStamp): number {
  return Date.now() - Number(changedNs / 1_000_000n);
}

function timeStepMs({ changedNs }: FileStamp): number {
  return changedNs % NANOSECONDS_PER_SECOND === 0n ? COARSE_TIME_STEP_MS : TIME_STEP_MS;
}

function unavailable(message: string): QueryFailedError {
  return new QueryFailedError('database_unavailable', message);
}
