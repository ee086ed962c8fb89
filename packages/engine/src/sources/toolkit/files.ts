import { statSync } from 'node:fs';

import { QueryFailedError } from '../../errors.ts';

/** In milliseconds. A file that was written in place is read after this much rest. */
export const QUIET_MS = 1000;

/** In milliseconds. Writes this far apart differ in file time: kernels tick every 10 ms at most. */
const TIME_STEP_MS = 20;

/** For file systems of whole seconds; FAT has the longest steps. */
const COARSE_TIME_STEP_MS = 2000;

/** Follows symbolic links. */
export interface FileStamp {
  /** Identifies the file: another may take its path. */
  readonly file: string;
  /** When it was made, in nanoseconds: a new file often gets the inode of one that is gone. */
  readonly madeNs: bigint;
  readonly size: bigint;
  /** When contents were written, in nanoseconds. Programs may set it, as `cp -p` does. */
  readonly modifiedNs: bigint;
  /** When anything changed, in nanoseconds. Only the file system sets it. */
  readonly changedNs: bigint;
}

/** @throws when the path leads to nothing */
export function readStamp(path: string): FileStamp {
  const { dev, ino, birthtimeNs, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  const times = { madeNs: birthtimeNs, modifiedNs: mtimeNs, changedNs: ctimeNs };
  return { file: `${dev}:${ino}`, size, ...times };
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

/** Milliseconds by the clock of its file system. */
export function ageMs({ changedNs }: FileStamp): number {
  return Date.now() - Number(changedNs / 1_000_000n);
}

/** Milliseconds until another write would show; none for 0 and less. @param seenAt the stamp */
export function unsettledMs(stamp: FileStamp, seenAt: number): number {
  const isCoarse = stamp.changedNs % 1_000_000_000n === 0n;
  const stillMs = Math.max(performance.now() - seenAt, ageMs(stamp));
  return (isCoarse ? COARSE_TIME_STEP_MS : TIME_STEP_MS) - stillMs;
}

export function unavailable(message: string): QueryFailedError {
  return new QueryFailedError('database_unavailable', message);
}
