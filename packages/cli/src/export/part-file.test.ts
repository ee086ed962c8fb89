import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { UsageError } from '../failure.ts';
import { openLocked } from './part-file.ts';

const GONE = `${spawnSync(process.execPath, ['--version']).pid}\n`;
const RUNNING = `${process.ppid}\n`;

function paths(): { readonly file: string; readonly lock: string } {
  const folder = mkdtempSync(join(tmpdir(), 'part-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'cities.csv');
  return { file, lock: `${file}.part.lock` };
}

async function nothing(): Promise<void> {}

it('takes no stale lock over that another process has taken over since it was read', async () => {
  const { file, lock } = paths();
  // Whoever reads it waits for its writer, who meanwhile puts the other lock there.
  execFileSync('mkfifo', [lock]);
  const second = openLocked(file, nothing).then(
    () => 'opened',
    (error: unknown) => error,
  );
  const stale = await open(lock, 'w');
  await rm(lock);
  await writeFile(lock, RUNNING);
  await stale.write(GONE);
  await stale.close();
  expect(await second).toBeInstanceOf(UsageError);
  expect(readFileSync(lock, 'utf8')).toBe(RUNNING);
});

it('leaves a stale lock to the process that is taking it over, unless that is gone too', async () => {
  const { file, lock } = paths();
  await writeFile(lock, GONE);
  await writeFile(`${lock}.lock`, RUNNING);
  await expect(openLocked(file, nothing)).rejects.toThrow(`remove ${lock}.lock.`);
  expect(readFileSync(lock, 'utf8')).toBe(GONE);
  await writeFile(`${lock}.lock`, GONE);
  const { unlock } = await openLocked(file, nothing);
  expect(readFileSync(lock, 'utf8')).toBe(`${process.pid}\n`);
  await unlock();
  expect([lock, `${lock}.lock`].filter((path) => existsSync(path))).toEqual([]);
});

it('opens a file once at a time within a process, whose lock names the same process', async () => {
  const { file, lock } = paths();
  await writeFile(lock, GONE);
  const tried = await Promise.allSettled(
    Array.from({ length: 9 }, async () => openLocked(file, nothing)),
  );
  const opened = tried.filter(({ status }) => status === 'fulfilled');
  expect(opened).toHaveLength(1);
});
