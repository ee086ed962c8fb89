import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { SettingsError } from '@proj/engine';
import { expect, it } from 'vitest';

import { execute, newFolder, open, pageOf } from './opened.ts';

it('Parquet, CSV and JSON lines are lists, with folders of partitions as attributes', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'sales/year=2025/month=12'), { recursive: true });
  mkdirSync(join(folder, 'sales/year=2026/month=1'), { recursive: true });
  await execute([
    `copy (select 1 as id, 1.5::decimal(10, 2) as price) to '${folder}/sales/year=2025/month=12/a.parquet'`,
    `copy (select 2 as id, 2.5::decimal(10, 2) as price, 'x' as note) to '${folder}/sales/year=2026/month=1/b.parquet'`,
  ]);
  writeFileSync(join(folder, 'visits.csv'), 'name,day\nÄda,2026-01-31\n"b ""c""",2026-02-01\n');
  writeFileSync(join(folder, 'events.jsonl'), '{"id":7,"tags":["a","b"]}\n{"id":8,"more":true}\n');
  const engine = await open({
    duckdb: {
      files: {
        sales: { files: join(folder, 'sales/**/*.parquet') },
        visits: { files: join(folder, 'visits.csv'), numbersRows: true },
        events: { files: join(folder, 'events.jsonl') },
      },
    },
    models: { sales: { key: ['id'] }, events: { key: ['id'] } },
  });
  const sales = {
    query_model: 'sales',
    query_attributes: ['id', 'price', 'note', 'year', 'month'],
  };
  expect(await pageOf(engine, sales)).toEqual({
    total: '2',
    records: [
      { id: 1, price: '1.50', note: null, year: '2025', month: '12' },
      { id: 2, price: '2.50', note: 'x', year: '2026', month: '1' },
    ],
  });
  const lately = { attribute: 'year', op: 'gte', value: '2026' };
  expect((await pageOf(engine, { ...sales, query_filter: lately })).total).toBe('1');
  const visits = { query_model: 'visits', query_attributes: ['row', 'name', 'day'] };
  expect((await pageOf(engine, visits)).records).toEqual([
    { row: '0', name: 'Äda', day: '2026-01-31' },
    { row: '1', name: 'b "c"', day: '2026-02-01' },
  ]);
  const events = { query_model: 'events', query_attributes: ['id', 'tags', 'more'] };
  expect((await pageOf(engine, events)).records).toEqual([
    { id: '7', tags: ['a', 'b'], more: null },
    { id: '8', tags: null, more: true },
  ]);
});

it('rows of several Parquet files are numbered in the order of their names', async () => {
  const folder = newFolder();
  await execute([
    `copy (select 'b' || i as v from range(3) t(i)) to '${folder}/2.parquet'`,
    `copy (select 'a' || i as v from range(2) t(i)) to '${folder}/1.parquet'`,
  ]);
  const trips = { files: join(folder, '*.parquet'), numbersRows: true };
  const engine = await open({ duckdb: { files: { trips } } });
  const asked = { query_model: 'trips', query_attributes: ['row', 'v'] };
  const { records } = await pageOf(engine, asked);
  expect(records.map((one) => Object.values(one as object).join(' '))).toEqual([
    '0 a0',
    '1 a1',
    '2 b0',
    '3 b1',
    '4 b2',
  ]);
  const second = { ...asked, page: { page: 2, size: 2 } };
  expect((await pageOf(engine, second)).records).toEqual([
    { row: '2', v: 'b0' },
    { row: '3', v: 'b1' },
  ]);
});

it('replies are kept while no file changes', async () => {
  const folder = newFolder();
  await execute([`copy (select 1 as id) to '${folder}/1.parquet'`]);
  const files = { t: { files: join(folder, '*.parquet'), numbersRows: true } };
  const engine = await open({ duckdb: { files } });
  const asked = { query_model: 't', query_attributes: ['id'] };
  const hits = (): unknown =>
    engine.statistics().find(({ mechanism }) => mechanism === 'reply_cache')?.hits;
  for (let time = 0; time < 3; time++) await pageOf(engine, asked);
  expect(hits()).toBe(2);
  await execute([`copy (select 2 as id) to '${folder}/2.parquet'`]);
  expect((await pageOf(engine, asked)).total).toBe('2');
  expect(hits()).toBe(2);
});

it('a link that leads out of the folder is refused, and one within it is followed', async () => {
  const folder = newFolder();
  const other = newFolder();
  writeFileSync(join(other, 'secret.csv'), 'id\n1\n');
  mkdirSync(join(folder, 'a'));
  writeFileSync(join(folder, 'a/x.csv'), 'id\n2\n');
  symlinkSync(join(folder, 'a/x.csv'), join(folder, 'link.csv'));
  const files = { t: { files: join(folder, '*.csv') } };
  const engine = await open({ duckdb: { files }, models: { t: { key: ['id'] } } });
  const asked = { query_model: 't', query_attributes: ['id'] };
  expect((await pageOf(engine, asked)).records).toEqual([{ id: '2' }]);
  symlinkSync(join(other, 'secret.csv'), join(folder, 'other.csv'));
  await expect(pageOf(engine, asked)).rejects.toMatchObject({ code: 'database_unavailable' });
  const opening = open({ duckdb: { files } });
  await expect(opening).rejects.toMatchObject({ code: 'database_unavailable' });
});

it('a view of a database file reads no files', async () => {
  const folder = newFolder();
  const path = join(folder, 'lake.duckdb');
  writeFileSync(join(folder, 'x.csv'), 'id\n1\n');
  await execute([`create view v as select * from read_csv('${folder}/x.csv')`], path);
  const engine = await open({ database: `duckdb:${path}`, models: { v: { key: ['id'] } } });
  const asked = pageOf(engine, { query_model: 'v', query_attributes: ['id'] });
  await expect(asked).rejects.toMatchObject({ code: 'model_unreadable' });
});

const files = (pattern: string) => ({ duckdb: { files: { t: { files: pattern } } } });

it('settings that name no files are refused with what to do', async () => {
  const folder = newFolder();
  await expect(open()).rejects.toThrow(SettingsError);
  await expect(open({ database: 'duckdb:/nowhere.duckdb' })).rejects.toThrow('no file is at');
  await expect(open(files('/nowhere/*.parquet'))).rejects.toThrow('no folder is at /nowhere');
  await expect(open(files(join(folder, '*.xlsx')))).rejects.toThrow('has to end with .parquet');
  await expect(open(files(join(folder, '*.csv')))).rejects.toMatchObject({
    code: 'database_unavailable',
  });
});

it('a file that is appended to is read again when it is quiet', async () => {
  const folder = newFolder();
  const path = join(folder, 'log.csv');
  writeFileSync(path, 'id\n1\n');
  const engine = await open({
    duckdb: { files: { log: { files: path, numbersRows: true } } },
  });
  const asked = { query_model: 'log', query_attributes: ['id'] };
  expect((await pageOf(engine, asked)).total).toBe('1');
  appendFileSync(path, '2\n');
  await expect(pageOf(engine, asked)).rejects.toMatchObject({ code: 'database_unavailable' });
  await expect
    .poll(async () => (await pageOf(engine, asked).catch(() => ({ total: '' }))).total)
    .toBe('2');
});
