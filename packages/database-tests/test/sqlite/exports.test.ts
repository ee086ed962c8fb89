import { DatabaseSync } from 'node:sqlite';

import type { Engine } from '@proj/engine';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { databaseFile } from '../../../sqlite/test/database-file.ts';
import { exported } from '../exported.ts';
import { open } from '../open.ts';
import { children } from '../reader-processes.ts';
import { stopClock } from '../stopped-clock.ts';

const ROWS = `
  create table large (id integer primary key, word text);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
  insert into large select i, printf('%0500d', i) from n;`;

const LIST = { model: 'large', attributes: ['id', 'word'] };

afterEach(() => void vi.useRealTimers());

describe('a whole list of a SQLite file', () => {
  const file = databaseFile(ROWS);
  let engine: Engine;
  beforeAll(async () => {
    const settings = { queryTimeoutMs: 60_000, exportTimeoutMs: 600_000, exports: 1 };
    engine = await open(`sqlite:${file}`, settings);
  });

  it('is held no longer than a query may take where readers keep others from writing', async () => {
    stopClock();
    const taken = Promise.withResolvers<void>();
    const held = exported(engine, LIST, {
      onProgress: (records) => {
        if (records === 0) return;
        taken.resolve();
        return new Promise(() => undefined);
      },
    });
    held.catch(() => undefined);
    await taken.promise;
    await vi.advanceTimersByTimeAsync(60_000);
    await expect(held).rejects.toMatchObject({
      code: 'query_timeout',
      message: expect.stringContaining('pragma journal_mode = wal'),
    });
    expect(engine.exportsHoldUpWrites()).toBe(true);
    vi.useRealTimers();
    expect((await exported(engine, LIST)).total).toBe(5000n);
  });

  it('keeps others from writing for all that is known while one of them holds the whole file', async () => {
    const writer = new DatabaseSync(file, { timeout: 60_000 });
    onTestFinished(() => writer.close());
    writer.exec('begin exclusive');
    expect(engine.exportsHoldUpWrites()).toBe(true);
    writer.exec('commit');
    expect((await exported(engine, LIST)).total).toBe(5000n);
  });

  it('fails when its process ends, and the next one has a new process', async () => {
    const lost = exported(engine, LIST, {
      onProgress: (records) => {
        if (records > 0) children.at(-1)?.kill('SIGKILL');
      },
    });
    await expect(lost).rejects.toMatchObject({ code: 'database_unavailable' });
    expect((await exported(engine, LIST)).total).toBe(5000n);
  });

  it('may take as long as an export where there is a write-ahead log', async () => {
    const url = `sqlite:${databaseFile(`pragma journal_mode = wal; ${ROWS}`)}`;
    const logged = await open(url, { queryTimeoutMs: 1, exportTimeoutMs: 600_000 });
    expect((await exported(logged, LIST)).total).toBe(5000n);
    expect(logged.exportsHoldUpWrites()).toBe(false);
  });
});
