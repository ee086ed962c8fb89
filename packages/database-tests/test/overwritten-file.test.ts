import {
  chmodSync,
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeSync,
} from 'node:fs';

import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeRelease } from '@proj/test-servers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { databaseFile, execute } from '../../sqlite/test/database-file.ts';
import { bodyOf, open } from './open.ts';
import { outcome } from './outcome.ts';

afterEach(() => {
  vi.useRealTimers();
});

const ROWS = 2000;
const ROUNDS = beforeRelease ? 100 : 25;
const PAGE = bodyOf({ model: 'notes', attributes: ['text'], size: 1000 });

/**
 * A file of many pages, each row of which says which file it is of. Two of one journal mode have
 * the same size and change counter.
 */
function noteFile(text: string, journalMode: 'wal' | 'delete'): string {
  return databaseFile(`
    pragma journal_mode = ${journalMode};
    create table notes (id integer primary key, text text not null);
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS})
    insert into notes select i, '${text}' || hex(zeroblob(50)) from n`);
}

/**
 * What is in the file, by one letter for every kind of row of the page; more than one would be of
 * several files.
 */
async function contentOf(engine: Engine): Promise<string> {
  const { result } = await engine.query(PAGE, EVERYTHING);
  const rows = JSON.parse(result) as { text: string }[];
  return [...new Set(rows.map(({ text }) => text.slice(0, 1)))].join('');
}

/** Asks all readers at once, until the kept reply is sent. */
async function warm(engine: Engine, content: string): Promise<void> {
  const before = keptReplies(engine);
  await expect
    .poll(async () => {
      const replies = await Promise.all(Array.from({ length: 8 }, () => contentOf(engine)));
      expect(new Set(replies)).toEqual(new Set([content]));
      return keptReplies(engine);
    })
    .toBeGreaterThan(before);
}

/** How often a kept reply was sent. */
function keptReplies(engine: Engine): number {
  return engine.statistics().find(({ mechanism }) => mechanism === 'reply_cache')?.hits ?? 0;
}

/**
 * Overwrites without emptying the file first, as `rsync --inplace` does. The clock, which the test
 * sets, is stopped at that moment.
 */
function overwrite(
  path: string,
  content: Buffer,
  { from, to }: { from: number; to: number },
): void {
  const file = openSync(path, 'r+');
  writeSync(file, content, from, to - from, from);
  closeSync(file);
  vi.setSystemTime(statSync(path).ctimeMs);
}

describe.each(['delete', 'wal'] as const)('a file in journal mode %s', (journalMode) => {
  let path: string;
  let engine: Engine;
  beforeAll(async () => {
    path = noteFile('a', journalMode);
    engine = await open(`sqlite:${path}`, { processes: 1 });
  });

  it('is read at once when only its rights have changed', async () => {
    await warm(engine, 'a');
    chmodSync(path, 0o600);
    expect(await contentOf(engine)).toBe('a');
  });

  it('is read anew by every reader when another one is copied over it, without a restart', async () => {
    for (const text of ['b', 'c']) {
      copyFileSync(noteFile(text, journalMode), path);
      await expect.poll(() => contentOf(engine)).toBe(text);
      await warm(engine, text);
    }
  });

  it('answers 503 until nobody has written to it for a second, and never mixes two files in a page', async () => {
    const other = readFileSync(noteFile('d', journalMode));
    const half = Math.floor(other.length / 8192) * 4096;
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    overwrite(path, other, { from: 0, to: half });
    expect(await outcome(contentOf(engine))).toBe('database_unavailable');
    expect(await outcome(engine.ping())).toBe('database_unavailable');
    vi.advanceTimersByTime(990);
    overwrite(path, other, { from: half, to: other.length });
    expect(await outcome(contentOf(engine))).toBe('database_unavailable');
    vi.advanceTimersByTime(990);
    expect(await outcome(contentOf(engine))).toBe('database_unavailable');
    vi.advanceTimersByTime(20);
    expect(await contentOf(engine)).toBe('d');
    expect(await outcome(engine.ping())).toBe('answered');
  });

  it('answers 503 while it is cut short or empty, and comes back by itself', async () => {
    await expect.poll(() => outcome(warm(engine, 'd'))).toBe('answered');
    truncateSync(path, 8192);
    expect(await outcome(contentOf(engine))).toBe('database_unavailable');
    truncateSync(path, 0);
    await expect(contentOf(engine)).rejects.toMatchObject({
      code: 'database_unavailable',
      message: `${path} is empty.`,
    });
    copyFileSync(noteFile('e', journalMode), path);
    await expect.poll(() => contentOf(engine)).toBe('e');
  });

  it('is never unavailable by a normal writer, nor a reply old', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const text = 'abcdefgh'[round % 8] ?? '';
      execute(
        path,
        `pragma wal_autocheckpoint = 10; update notes set text = '${text}' || substr(text, 2)`,
      );
      expect(await contentOf(engine)).toBe(text);
    }
  });
});

describe('a path that is a symbolic link', () => {
  it('is followed to the file that it names now', async () => {
    const path = `${databaseFile()}.link`;
    symlinkSync(noteFile('a', 'delete'), path);
    const engine = await open(`sqlite:${path}`);
    await warm(engine, 'a');
    symlinkSync(noteFile('b', 'wal'), `${path}.next`);
    renameSync(`${path}.next`, path);
    expect(await contentOf(engine)).toBe('b');
    execute(path, `update notes set text = 'c'`);
    expect(await contentOf(engine)).toBe('c');
  });
});

it.each(['delete', 'wal'] as const)(
  'another file, in journal mode %s, is not mixed with the log of the one before, and is read without it',
  async (journalMode) => {
    const path = noteFile('a', 'wal');
    const engine = await open(`sqlite:${path}`);
    expect(await contentOf(engine)).toBe('a');
    // The log outlives its writer, as the service reads.
    execute(path, `update notes set text = 'b' || substr(text, 2)`);
    expect(await contentOf(engine)).toBe('b');
    renameSync(noteFile('c', journalMode), path);
    await expect(contentOf(engine)).rejects.toMatchObject({
      code: 'database_unavailable',
      message: `${path} was replaced, and ${path}-wal is of the file before: remove it, and ${path}-shm.`,
    });
    expect(await outcome(engine.ping())).toBe('database_unavailable');
    for (const ending of ['-wal', '-shm']) rmSync(`${path}${ending}`);
    expect(await contentOf(engine)).toBe('c');
  },
);
