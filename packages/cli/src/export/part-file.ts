import {
  type FileHandle,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { FailedError, UsageError } from '../failure.ts';

/** Follows a symbolic link, which a rename would replace. Only regular files can be replaced. */
export async function finalPath(file: string): Promise<string> {
  const path = await linkedPath(file);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.isFile()) return path;
  throw new UsageError(
    `--output: ${file} is not a regular file. Name a file, or leave --output out to write to ` +
      'standard output.',
  );
}

/** The file that a link names may be the one to make. */
async function linkedPath(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    const target = isMissing(error) ? await readlink(file).catch(() => undefined) : undefined;
    return target === undefined ? file : linkedPath(resolve(dirname(file), target));
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** @throws {UsageError} when a part file of an earlier export is there. */
export async function refusePart(part: string): Promise<void> {
  const found = await stat(part).catch(() => undefined);
  if (found === undefined) return;
  const state = await stat(`${part}.json`).catch(() => undefined);
  const step =
    state === undefined
      ? 'It cannot go on; add --restart to begin again.'
      : 'Add --resume to go on, or --restart.';
  throw new UsageError(`${part} belongs to an export that was interrupted. ${step}`);
}

/** Drops what comes after the first `bytes`. */
export async function openPart(part: string, bytes: number): Promise<FileHandle> {
  const handle = await open(part, bytes === 0 ? 'w' : 'r+').catch((error: unknown) => {
    throw cannotWrite(part, error);
  });
  await handle.truncate(bytes);
  await keepMode(handle, part.replace(/\.part$/, ''));
  return handle;
}

/** Names the requested file, even where a file beside it is the cause. */
function cannotWrite(beside: string, error: unknown): FailedError {
  const file = beside.replace(/\.part(?:\.lock)*$/, '');
  const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return new FailedError(
    `${file} cannot be written (${reason}). Check the directory and its permissions.`,
  );
}

export async function writeAt(
  handle: FileHandle,
  part: string | Uint8Array,
  position: number,
): Promise<Uint8Array> {
  const bytes = typeof part === 'string' ? Buffer.from(part) : part;
  let done = 0;
  while (done < bytes.length) {
    done += (await handle.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
  return bytes;
}

/** Lets no one read the records who may not read the file that they replace. */
async function keepMode(handle: FileHandle, path: string): Promise<void> {
  const replaced = await stat(path).catch(() => undefined);
  // Not every file system has modes.
  if (replaced !== undefined) await handle.chmod(replaced.mode & 0o777).catch(() => undefined);
}

/** Flushes before renaming, so that after a crash the file is whole or absent. */
export async function publish(handle: FileHandle, part: string, path: string): Promise<void> {
  await handle.sync();
  await handle.close();
  await rename(part, path);
  await syncDirectory(dirname(path));
}

/** The new name is durable only once its directory is; not every system opens directories. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/** Releases a part file to other exports. */
export type Unlock = () => Promise<void>;

/** Locks of this process, from before they are made: an earlier one left all others with its id. */
const HELD = new Set<string>();

/**
 * Opens a part file for this process alone: `FILE.part.lock` names its writer. The lock of a
 * process that is gone is taken over.
 *
 * @param openFile is called under the lock, which is released where it fails
 * @throws {UsageError} when another export writes the file
 */
export async function openLocked<Opened>(
  path: string,
  openFile: () => Promise<Opened>,
): Promise<{ readonly opened: Opened; readonly unlock: Unlock }> {
  const unlock = await takeLock(`${path}.part.lock`, path);
  try {
    return { opened: await openFile(), unlock };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** @throws {UsageError} when another export has the lock */
async function takeLock(lock: string, path: string): Promise<Unlock> {
  if (HELD.has(lock)) throw new UsageError(inUse(lock, path, process.pid));
  HELD.add(lock);
  try {
    while (!(await createLock(lock))) await removeStale(lock, path);
  } catch (error) {
    HELD.delete(lock);
    throw error;
  }
  return async () => {
    await rm(lock, { force: true });
    HELD.delete(lock);
  };
}

/**
 * Several processes may find the same stale lock. Each looks again under a lock on the removal:
 * otherwise the second one would remove the lock that the first has made in its place.
 */
async function removeStale(lock: string, path: string): Promise<void> {
  const owner = await ownerOf(lock);
  if (!isGone(owner)) throw new UsageError(inUse(lock, path, owner));
  const unlock = await takeLock(`${lock}.lock`, path);
  try {
    if (isGone(await ownerOf(lock))) await rm(lock, { force: true });
  } finally {
    await unlock();
  }
}

async function createLock(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, `${process.pid}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw cannotWrite(lock, error);
  }
}

/** Undefined where the file does not say it, as while it is being written. */
async function ownerOf(lock: string): Promise<number | undefined> {
  const text = await readFile(lock, 'utf8').catch(() => '');
  return /^[1-9]\d*\n$/.test(text) ? Number(text) : undefined;
}

/**
 * Signal 0 only checks for existence; EPERM means that another user's process exists. A lock with
 * our own id, which we have not got, is of a process that had the id before.
 */
function isGone(owner: number | undefined): boolean {
  if (owner === undefined) return false;
  if (owner === process.pid) return true;
  try {
    return !process.kill(owner, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

function inUse(lock: string, path: string, owner: number | undefined): string {
  const writer = owner === undefined ? 'another process' : `process ${owner}`;
  const owned = `${path} is being exported by ${writer}; wait for it.`;
  return `${owned} Where that is no dq, remove ${lock}.`;
}
