import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { EVERYTHING, openEngine, SettingsError } from '@proj/engine';
import { expect, it, onTestFinished } from 'vitest';

import { databasesIn } from '../src/settings/databases.ts';
import { engineSettings } from '../src/settings/engine-settings.ts';
import { filesIn } from '../src/settings/file-lists.ts';
import { settingsSchema } from '../src/settings/schema.ts';

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'dynamic-query-files-')));
  mkdirSync(join(path, 'sales/year=2026'), { recursive: true });
  writeFileSync(join(path, 'sales/year=2026/a.csv'), 'id,price\n1,2.5\n');
  writeFileSync(join(path, 'visits.csv'), 'name\nb\na\n');
  writeFileSync(join(path, 'events.jsonl'), '{"id":7}\n');
  writeFileSync(join(path, '.hidden.csv'), 'x\n');
  writeFileSync(join(path, 'readme.txt'), 'x\n');
  return path;
}

async function recordsOf(settings: object, body: object): Promise<unknown> {
  const [one] = databasesIn(settingsSchema.parse({ database: 'duckdb:', ...settings }));
  if (one === undefined) throw new Error('There is no database.');
  const engine = await openEngine(engineSettings(one.settings));
  onTestFinished(() => engine.close());
  const { result } = await engine.query({ page: { page: 1, size: 9 }, ...body }, EVERYTHING);
  return JSON.parse(result);
}

it('each file of a folder is a model, and each of its folders', () => {
  const path = folder();
  const numbersRows = true;
  expect(filesIn(path)).toEqual({
    events: { files: join(path, 'events.jsonl'), numbersRows },
    sales: { files: join(path, 'sales/**/*.csv'), numbersRows },
    visits: { files: join(path, 'visits.csv'), numbersRows },
  });
  expect(Object.keys(filesIn(join(path, '*.csv')))).toEqual(['visits']);
  expect(() => filesIn(join(path, '*.parquet'))).toThrow(SettingsError);
});

it('the setting `files` shows a folder', async () => {
  const sales = { query_model: 'sales', query_attributes: ['row', 'price', 'year'] };
  expect(await recordsOf({ files: folder() }, sales)).toEqual([
    { row: '0', price: 2.5, year: '2026' },
  ]);
});

it('models with `files` have all attributes, and the number of the row as their key', async () => {
  const files = join(folder(), 'visits.csv');
  const visits = { query_model: 'visits', query_attributes: ['row', 'name'] };
  expect(await recordsOf({ models: { visits: { files, key: 'rows' } } }, visits)).toEqual([
    { row: '0', name: 'b' },
    { row: '1', name: 'a' },
  ]);
  expect(
    await recordsOf({ models: { visits: { files, key: ['name'] } } }, visits).catch(String),
  ).toContain('no attribute named "row"');
});

it('files of another database are refused', () => {
  const settings = settingsSchema.parse({ database: 'sqlite:/x.db', files: folder() });
  const [one] = databasesIn(settings);
  expect(() => one && engineSettings(one.settings)).toThrow('they need a database of their own');
});
