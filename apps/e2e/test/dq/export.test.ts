import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';

import { beforeRelease, SEED, until } from '@proj/test-servers';
import { beforeAll, expect, it } from 'vitest';

import { temporaryFolder } from '../support/temporary-folder.ts';
import { DEMO, demoFile } from './demo.ts';
import { dq, startDq } from './dq.ts';

type Value = string | number | null;

const CITIES = 135_233;

let cities: ReadonlyMap<string, Value>[] = [];

beforeAll(async () => {
  const database = new DatabaseSync(await demoFile(), { readOnly: true });
  const all = database.prepare('select * from cities order by id');
  all.setReadBigInts(true);
  cities = all
    .all()
    .map((row) => new Map(Object.entries(row).map(([name, value]) => [name, inTransit(value)])));
  database.close();
});

/** Whole numbers travel as texts. */
function inTransit(value: SQLOutputValue): Value {
  if (value instanceof Uint8Array) throw new TypeError('The demo has no bytes.');
  return typeof value === 'bigint' ? String(value) : value;
}

/** A line of RFC 4180, in which NULL is nothing. */
const csvLine = (values: Iterable<Value>): string => `${[...values].map(csvField).join(',')}\r\n`;

const csvField = (value: Value): string => {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const asCsv = (): string =>
  [csvLine(cities[0]?.keys() ?? []), ...cities.map((city) => csvLine(city.values()))].join('');

const asNdjson = (): string =>
  cities.map((city) => `${JSON.stringify(Object.fromEntries(city))}\n`).join('');

const WHOLE = [
  ['csv', asCsv, []],
  ['ndjson', asNdjson, ['--order', 'key']],
  ['csv', asCsv, ['--paged', '--concurrency', '8']],
  ['ndjson', asNdjson, []],
] as const;

it.each(beforeRelease ? WHOLE : WHOLE.slice(0, 1))(
  'writes every city to a file as %s',
  async (format, expected, flags) => {
    const folder = await temporaryFolder();
    const file = join(folder, `cities.${format}`);
    expect(await dq(['export', 'cities', '-o', file, ...flags], DEMO)).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const text = readFileSync(file, 'utf8');
    expect(text.split('\n')).toHaveLength(CITIES + (format === 'csv' ? 2 : 1));
    // A difference of such texts would take minutes to print.
    expect(text === expected()).toBe(true);
    expect(readdirSync(folder)).toEqual([`cities.${format}`]);
  },
);

const INTERRUPTED = [
  ['csv', asCsv, 'page'],
  ['ndjson', asNdjson, 'key'],
] as const;

/** One, which changes with the commit. Before a release both. */
const CHOSEN = beforeRelease ? INTERRUPTED : INTERRUPTED.slice(SEED % 2).slice(0, 1);

it.each(CHOSEN)(
  'goes on after Ctrl-C and makes the same file: %s',
  async (format, expected, order) => {
    const folder = await temporaryFolder();
    const file = join(folder, `cities.${format}`);
    const part = `${file}.part`;
    const command = ['export', 'cities', '-o', file, '--order', order, '--size', '500'];
    const first = startDq(command, DEMO);
    await until(() => (statSync(part, { throwIfNoEntry: false })?.size ?? 0) > 500_000);
    first.child.kill('SIGINT');
    expect(await first.ended).toEqual({
      code: 130,
      stdout: '',
      stderr: `dq: interrupted. ${part} is kept. Go on with the same command and --resume.\n`,
    });
    expect(readdirSync(folder).toSorted()).toEqual([
      `cities.${format}.part`,
      `cities.${format}.part.json`,
    ]);
    expect(statSync(part).size).toBeLessThan(expected().length);
    expect(await dq([...command, '--resume'], DEMO)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(file, 'utf8') === expected()).toBe(true);
    expect(readdirSync(folder)).toEqual([`cities.${format}`]);
  },
);
