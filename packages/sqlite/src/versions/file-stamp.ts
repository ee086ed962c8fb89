import { realpathSync, statSync } from 'node:fs';

/** Follows symbolic links. */
export interface FileStamp {
  /** Identifies the file: another may take its path. */
  readonly file: string;
  readonly size: bigint;
  /** When contents were written, in nanoseconds. Programs may set it, as `cp -p` does. */
  readonly modifiedNs: bigint;
  /** When anything changed, in nanoseconds. Only the file system sets it. */
  readonly changedNs: bigint;
}

/** @throws when the path leads to nothing */
export function readStamp(path: string): FileStamp {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  return { file: `${dev}:${ino}`, size, modifiedNs: mtimeNs, changedNs: ctimeNs };
}

export function areEqual(one: FileStamp, other: FileStamp): boolean {
  return (
    one.file === other.file && hasSameContents(one, other) && one.changedNs === other.changedNs
  );
}

export function wasWritten(before: FileStamp, after: FileStamp): boolean {
  return before.file === after.file && !hasSameContents(before, after);
}

function hasSameContents(one: FileStamp, other: FileStamp): boolean {
  return one.size === other.size && one.modifiedNs === other.modifiedNs;
}

/** In WAL mode SQLite writes the main file only to copy a log that holds something. */
export function hasWriteAheadLog(path: string): boolean {
  return (statSync(`${realpathSync(path)}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
