import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { demoFingerprint } from './fingerprint.ts';
import type { OnProgress } from './write-database.ts';

export interface DemoDatabaseOptions {
  /** Where the file is kept; created when missing. */
  readonly directory: string;
  /**
   * Hears the share of the work that is done, rising from 0 to 1. Never called when the file is
   * there already.
   */
  readonly onProgress?: OnProgress;
}

const FINISHED = /^demo-[0-9a-f]{12}\.db$/;
const UNFINISHED = /^demo-[0-9a-f]{12}\.db\.[0-9a-f-]{36}\.building$/;
/**
 * A build takes seconds; a file that none has written to for so long was left by one that was
 * interrupted.
 */
const ABANDONED_AFTER_MS = 10 * 60 * 1000;

/**
 * The path of the demo database, which is built first when there is none from this data. A file
 * under its final name is always complete: it gets the name in one step, when it is done.
 */
export async function ensureDemoDatabase({
  directory,
  onProgress = () => {},
}: DemoDatabaseOptions): Promise<string> {
  const file = join(directory, `demo-${demoFingerprint()}.db`);
  if (!existsSync(file)) {
    await mkdir(directory, { recursive: true });
    await build(file, onProgress);
  }
  await removeLeftovers(directory, file);
  return file;
}

async function build(file: string, onProgress: OnProgress): Promise<void> {
  const unfinished = `${file}.${randomUUID()}.building`;
  try {
    onProgress(0);
    // Loads the data packages, which a start with a finished file does without.
    const { writeDatabase } = await import('./write-database.ts');
    writeDatabase(unfinished, onProgress);
    await flushToDisk(unfinished);
    onProgress(0.98);
    await publish(unfinished, file);
    onProgress(1);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** A power cut after the renaming must not leave a finished name on unwritten content. */
async function flushToDisk(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function publish(unfinished: string, file: string): Promise<void> {
  // Another start was faster, with the same content, and may be reading it by now.
  if (existsSync(file)) return;
  try {
    await rename(unfinished, file);
  } catch (error) {
    // Windows does not replace a file that is open, as that of another start which was faster by a
    // hair.
    if (!existsSync(file)) throw error;
  }
}

/**
 * Removes files of older data and of interrupted builds, but not those that another start is
 * writing.
 */
async function removeLeftovers(directory: string, current: string): Promise<void> {
  const names = await readdir(directory);
  const paths = names
    .filter((name) => FINISHED.test(name) || UNFINISHED.test(name))
    .map((name) => join(directory, name));
  await Promise.all(paths.filter((path) => path !== current).map((path) => removeLeftover(path)));
}

async function removeLeftover(path: string): Promise<void> {
  try {
    if (path.endsWith('.building') && Date.now() - (await stat(path)).mtimeMs < ABANDONED_AFTER_MS)
      return;
    await rm(path, { force: true });
  } catch {
    // It is gone already, or in use, or the directory is read-only: none of that keeps the demo
    // from starting.
  }
}
