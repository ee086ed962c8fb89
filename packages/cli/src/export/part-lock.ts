import { readFile, rm, writeFile } from 'node:fs/promises';

import { UsageError } from '../failure.ts';
import { cannotWrite } from './part-file.ts';

/** Releases a part file to other exports. */
export type Unlock = () => Promise<void>;

/** A lock with our process id that is not among these is of an earlier process. */
const HELD = new Set<string>();

/**
 * Opens a part file for this process alone: `FILE.part.lock` names its writer. The lock of a
 * process that is gone is taken over.
 *
 * @param open is called under the lock, which is released where it fails
 * @throws {UsageError} when another export writes the file
 */
export async function openLocked<Opened>(
  path: string,
  open: () => Promise<Opened>,
): Promise<{ readonly opened: Opened; readonly unlock: Unlock }> {
  const unlock = await lockPart(path);
  try {
    return { opened: await open(), unlock };
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function lockPart(path: string): Promise<Unlock> {
  const lock = `${path}.part.lock`;
  while (!(await createLock(lock))) {
    const owner = await ownerOf(lock);
    const isOurs = owner === process.pid;
    const isHeld = isOurs ? HELD.has(lock) : owner === undefined || isRunning(owner);
    if (isHeld) throw new UsageError(inUse(path, owner));
    await rm(lock, { force: true });
  }
  HELD.add(lock);
  return async () => {
    HELD.delete(lock);
    await rm(lock, { force: true });
  };
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

/** Signal 0 only checks for existence; EPERM means that another user's process exists. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

function inUse(path: string, owner: number | undefined): string {
  const writer = owner === undefined ? 'another process' : `process ${owner}`;
  return (
    `${path} is being exported by ${writer}; wait for it. Where that is no dq, remove ` +
    `${path}.part.lock.`
  );
}
