import { setImmediate } from 'node:timers/promises';

import type { ExportedColumn } from '@proj/engine';
import { expect, it, onTestFinished } from 'vitest';

import { parquetFormat } from '../../../../packages/fastify/src/reply/parquet/parquet-format.ts';
import { parquetThreads } from './parquet-threads.ts';

const ID = {
  name: 'id',
  type: 'int32',
  items: undefined,
  extremes: [],
  decimal: undefined,
} as const;

function openFormat(column: ExportedColumn = ID) {
  const format = parquetFormat({ columns: [column] });
  onTestFinished(() => format.close());
  return format;
}

const LINES = { text: '{"id":1}\n'.repeat(60_000), records: 60_000 };

it('the process answers others while the records of a Parquet file are encoded', async () => {
  const format = openFormat();
  await format.begin();
  const first = await Promise.race([
    format.add(LINES).then((bytes) => bytes.length),
    setImmediate('others'),
  ]);
  expect(first).toBe('others');
});

it('a Parquet file that is given up ends its thread, and what is asked of it fails', async () => {
  const before = parquetThreads();
  const format = openFormat();
  await format.begin();
  expect(parquetThreads()).toBe(before + 1);
  const added = format.add(LINES);
  const closed = format.close();
  await expect(added).rejects.toThrow('has ended');
  await expect(format.end()).rejects.toThrow('has ended');
  await closed;
  expect(parquetThreads()).toBe(before);
});

it('a thread that fails for a reason that nobody foresaw fails the Parquet file', async () => {
  const format = openFormat({ ...ID, type: 'array', items: 'int32' });
  await format.begin();
  const broken = { text: '{"id":[1}\n', records: 1 };
  await expect(format.add(broken)).rejects.toThrow('JSON');
  await expect(format.end()).rejects.toThrow('JSON');
});
