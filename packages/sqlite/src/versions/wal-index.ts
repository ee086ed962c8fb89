import { Buffer } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';

/** The header is there twice (https://sqlite.org/walformat.html). */
const HEADER_BYTES = 48;

/** The last valid frame, the database size, the checksum, the salt. */
const STATE = { from: 16, to: 40 } as const;

/** Until both copies agree: a commit writes one after the other. */
const MOST_READS = 5;

/** By device and inode. Each is opened once: closing a file drops all of the process's locks. */
const openFiles = new Map<string, { readonly descriptor: number; uses: number }>();

/** The index of a write-ahead log, with a checksum of all that the log holds. */
export class WalIndex {
  readonly #path: string;
  readonly #log: string;
  #file: string | undefined;

  constructor(database: string) {
    const path = realpathSync(database);
    this.#path = `${path}-shm`;
    this.#log = `${path}-wal`;
  }

  /** Names the file of the log, whatever it holds; undefined where there is none. */
  get logFile(): string | undefined {
    const log = statSync(this.#log, { bigint: true, throwIfNoEntry: false });
    return log && `${log.dev}:${log.ino}:${log.birthtimeNs}`;
  }

  /** Empty without a log, undefined if unknown. An open connection must recover the index first. */
  read(): string | undefined {
    const stat = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) return '';
    try {
      return readState(this.#open(`${stat.dev}:${stat.ino}`));
    } catch {
      return undefined;
    }
  }

  /** Call it when the connection, which locks the file, is closed. */
  close(): void {
    const open = this.#file === undefined ? undefined : openFiles.get(this.#file);
    if (this.#file === undefined || open === undefined) return;
    open.uses -= 1;
    if (open.uses === 0) {
      openFiles.delete(this.#file);
      closeSync(open.descriptor);
    }
    this.#file = undefined;
  }

  #open(file: string): number {
    if (this.#file !== file) this.close();
    const known = openFiles.get(file);
    if (known !== undefined) {
      if (this.#file === undefined) known.uses += 1;
      this.#file = file;
      return known.descriptor;
    }
    const descriptor = openSync(this.#path, 'r');
    const { dev, ino } = fstatSync(descriptor, { bigint: true });
    this.#file = `${dev}:${ino}`;
    openFiles.set(this.#file, { descriptor, uses: 1 });
    return descriptor;
  }
}

function readState(descriptor: number): string | undefined {
  const copies = Buffer.alloc(HEADER_BYTES * 2);
  for (let reads = 0; reads < MOST_READS; reads++) {
    if (readSync(descriptor, copies, 0, copies.length, 0) < copies.length) return '';
    const [first, second] = [copies.subarray(0, HEADER_BYTES), copies.subarray(HEADER_BYTES)];
    if (first.equals(second)) return first.toString('base64url', STATE.from, STATE.to);
  }
  return undefined;
}

/** In WAL mode SQLite writes the main file only to copy a log that holds something. */
export function hasWriteAheadLog(path: string): boolean {
  return (statSync(`${realpathSync(path)}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
