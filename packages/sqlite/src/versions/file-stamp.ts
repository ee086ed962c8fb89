import { realpathSync, statSync } from 'node:fs';

/** What the file system says of the file that a path names, symbolic links followed. */
export interface FileStamp {
  /** Which file it is: another one may take its place at any moment. */
  readonly file: string;
  /** In bytes. */
  readonly size: bigint;
  /** When its contents were last written, in nanoseconds. A program may set it, as `cp -p` does. */
  readonly modifiedNs: bigint;
  /** When anything of it last changed, in nanoseconds. Only the file system sets it. */
  readonly changedNs: bigint;
}

/** @throws when the path names nothing that can be reached. */
export function readStamp(path: string): FileStamp {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  return { file: `${dev}:${ino}`, size, modifiedNs: mtimeNs, changedNs: ctimeNs };
}

export function areEqual(one: FileStamp, other: FileStamp): boolean {
  return (
    one.file === other.file && hasSameContents(one, other) && one.changedNs === other.changedNs
  );
}

/** Whether one and the same file was written to in between. */
export function wasWritten(before: FileStamp, after: FileStamp): boolean {
  return before.file === after.file && !hasSameContents(before, after);
}

function hasSameContents(one: FileStamp, other: FileStamp): boolean {
  return one.size === other.size && one.modifiedNs === other.modifiedNs;
}

/**
 * Whether the write-ahead log beside the database holds anything. A checkpoint copies it into the
 * database, which is the only reason for SQLite to write to the file of a database in WAL mode.
 */
export function hasWriteAheadLog(path: string): boolean {
  return (statSync(`${realpathSync(path)}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
