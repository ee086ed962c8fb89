import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import { EVERYTHING } from '@proj/engine';
import { expect, it, onTestFinished, vi } from 'vitest';

import { execute, newFolder, open, pageOf } from './opened.ts';

/** It would take hours. */
const ENDLESS = `create view endless as
  select a.id as id, b.id as number from rows_of a, rows_of b, rows_of c, rows_of d`;

async function lake(): Promise<string> {
  const path = join(newFolder(), 'lake.duckdb');
  await execute(['create table rows_of as select i as id from range(20000) t(i)', ENDLESS], path);
  return `duckdb:${path}`;
}

const GROUP = {
  query_model: 'endless',
  query_attributes: ['number', 'n'],
  query_groups: ['number'],
  query_aggregates: [{ name: 'n', op: 'count' }],
  page: { page: 1, size: 5 },
};

const MODELS = { endless: { key: ['id'] }, rows_of: { key: ['id'] } };

it("long groups leave Node's threads to files, and to the page of another caller", async () => {
  const engine = await open({ database: await lake(), models: MODELS });
  const controller = new AbortController();
  const { signal } = controller;
  const run = vi.spyOn(DuckDBPreparedStatement.prototype, 'run');
  onTestFinished(() => run.mockRestore());
  const ended = vi.fn<(outcome: unknown) => void>();
  const groups = Array.from({ length: 8 }, async (_, index) => {
    const query_filter = { attribute: 'number', op: 'gt', value: index };
    const asked = engine.query({ ...GROUP, query_filter }, EVERYTHING, {
      caller: 'greedy',
      signal,
    });
    await asked.catch((error: unknown) => ended(error));
  });
  let before = 0;
  const noMoreBegin = (): boolean => {
    const seen = before;
    before = run.mock.calls.length;
    return before > 1 && before === seen;
  };
  await expect.poll(noMoreBegin, { interval: 100, timeout: 10_000 }).toBe(true);
  expect(run.mock.calls).toHaveLength(2);
  const page = { query_model: 'rows_of', query_attributes: ['id'], page: { page: 3, size: 10 } };
  const { page: found } = await engine.query(page, EVERYTHING, { caller: 'modest' });
  await readFile(import.meta.filename);
  expect([found.total, ended.mock.calls]).toEqual(['20000', []]);
  controller.abort();
  await Promise.all(groups);
  expect(ended.mock.calls.flat()).toEqual(
    groups.map(() => expect.objectContaining({ code: 'cancelled' }) as unknown),
  );
});

it('a statement ends with its time limit', async () => {
  const engine = await open({ database: await lake(), models: MODELS, queryTimeoutMs: 300 });
  await expect(engine.query(GROUP, EVERYTHING)).rejects.toMatchObject({ code: 'query_timeout' });
});

it('a statement ends when its caller leaves', async () => {
  const engine = await open({ database: await lake(), models: MODELS });
  const controller = new AbortController();
  const run = vi.spyOn(DuckDBPreparedStatement.prototype, 'run');
  onTestFinished(() => run.mockRestore());
  const asked = engine
    .query(GROUP, EVERYTHING, { signal: controller.signal })
    .catch((error: unknown) => error);
  await expect.poll(() => run.mock.calls, { timeout: 10_000 }).toHaveLength(1);
  controller.abort();
  expect(await asked).toMatchObject({ code: 'cancelled' });
  expect((await pageOf(engine, { query_model: 'rows_of', query_attributes: ['id'] })).total).toBe(
    '20000',
  );
});

it('a connection that could not end its transaction is not used again', async () => {
  const engine = await open({ database: await lake(), models: MODELS });
  const run = Reflect.get(DuckDBConnection.prototype, 'run');
  let failures = 0;
  const spy = vi.spyOn(DuckDBConnection.prototype, 'run').mockImplementation(function (
    this: DuckDBConnection,
    ...asked
  ) {
    if (asked[0] !== 'rollback') return run.apply(this, asked);
    failures += 1;
    return Promise.reject(new Error('INTERRUPT Error: Interrupted!'));
  });
  onTestFinished(() => spy.mockRestore());
  const page = { query_model: 'rows_of', query_attributes: ['id'] };
  const totals = [1, 2, 3].map(async (id) => {
    const query_filter = { attribute: 'id', op: 'gte', value: id };
    return (await pageOf(engine, { ...page, query_filter })).total;
  });
  expect(await Promise.all(totals)).toEqual(['19999', '19998', '19997']);
  const query_filter = { attribute: 'id', op: 'gte', value: 4 };
  expect((await pageOf(engine, { ...page, query_filter })).total).toBe('19996');
  expect(failures).toBeGreaterThan(2);
});

it('a file that another process writes to is refused with a clear error', async () => {
  const database = await lake();
  const path = database.slice('duckdb:'.length);
  const program = `
    import { DuckDBInstance } from '@duckdb/node-api';
    const instance = await DuckDBInstance.create(${JSON.stringify(path)});
    await instance.connect();
    console.log('open');
    setInterval(() => instance, 1000);`;
  const writer = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
  });
  await once(writer.stdout, 'data');
  const opening = open({ database, models: MODELS });
  await expect(opening).rejects.toThrow('is open in another process that writes to it');
  writer.kill();
  await once(writer, 'close');
  const engine = await open({ database, models: MODELS });
  expect((await pageOf(engine, { query_model: 'rows_of', query_attributes: ['id'] })).total).toBe(
    '20000',
  );
});
