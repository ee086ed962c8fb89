import type { WireType } from '@proj/contract';
import type { ExportedColumn } from '@proj/engine';
import { SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';

import {
  type EncoderReply,
  parquetEncoder,
} from '../../../../packages/fastify/src/reply/parquet/parquet-encoder.ts';
import { columnTypes, readParquet } from './duckdb.ts';

const column = (
  name: string,
  type: WireType,
  more: Partial<ExportedColumn> = {},
): ExportedColumn => ({ name, type, items: undefined, extremes: [], decimal: undefined, ...more });

const text = fc.string({ unit: 'binary', maxLength: 12 }).filter((one) => !one.includes('\0'));
const digits = (most: number) =>
  fc.bigInt({ min: -(10n ** BigInt(most)) + 1n, max: 10n ** BigInt(most) - 1n });
const pad = (number: number, length = 2): string => String(number).padStart(length, '0');
const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const time = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59), fc.nat(999_999))
  .map(([h, m, s, f]) => `${pad(h)}:${pad(m)}:${pad(s)}${f === 0 ? '' : `.${pad(f, 6)}`}`);

/** A decimal as a database with a scale prints it. */
const scaled = (number: bigint, scale: number): string => {
  const shown = String(number < 0n ? -number : number).padStart(scale + 1, '0');
  const point = shown.length - scale;
  const fraction = scale === 0 ? '' : `.${shown.slice(point)}`;
  return `${number < 0n ? '-' : ''}${shown.slice(0, point)}${fraction}`;
};

/** Each column with values as they are in JSON, and how DuckDB prints a value of its type. */
const COLUMNS: readonly {
  readonly column: ExportedColumn;
  readonly type: string;
  readonly value: fc.Arbitrary<unknown>;
  readonly sql?: string;
  readonly shown?: (value: never) => unknown;
}[] = [
  { column: column('a "text".é', 'text'), type: 'VARCHAR', value: text },
  { column: column('kind', 'enum'), type: 'VARCHAR', value: text },
  { column: column('odd', 'other'), type: 'VARCHAR', value: text },
  {
    column: column('mixed', 'any'),
    type: 'JSON',
    value: fc.oneof(text, fc.integer()),
    shown: (value: unknown) => JSON.stringify(value),
  },
  { column: column('small', 'int32'), type: 'INTEGER', value: fc.integer() },
  {
    column: column('large', 'int64'),
    type: 'BIGINT',
    value: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    sql: '::varchar',
  },
  {
    column: column('unsigned', 'int64', { extremes: ['unsigned'] }),
    type: 'UBIGINT',
    value: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
    sql: '::varchar',
  },
  {
    column: column('price', 'decimal', { decimal: { precision: 12, scale: 2 } }),
    type: 'DECIMAL(12,2)',
    value: digits(12).map((number) => scaled(number, 2)),
    sql: '::varchar',
  },
  {
    column: column('sum', 'decimal', { decimal: { precision: 38, scale: 10 } }),
    type: 'DECIMAL(38,10)',
    value: digits(38).map((number) => scaled(number, 10)),
    sql: '::varchar',
  },
  { column: column('any', 'decimal'), type: 'VARCHAR', value: digits(60).map(String) },
  {
    column: column('ratio', 'float64'),
    type: 'DOUBLE',
    value: fc.double({ noNaN: true, noDefaultInfinity: true }),
    shown: (value: number) => value + 0,
  },
  { column: column('yes', 'boolean'), type: 'BOOLEAN', value: fc.boolean() },
  { column: column('day', 'date'), type: 'DATE', value: day, sql: '::varchar' },
  { column: column('at', 'time'), type: 'TIME', value: time, sql: '::varchar', shown: trimmed },
  {
    column: column('long', 'time', { extremes: ['long_times'] }),
    type: 'VARCHAR',
    value: fc.constantFrom('-838:59:59', '25:00:00'),
  },
  {
    column: column('moment', 'timestamp'),
    type: 'TIMESTAMP',
    value: fc.tuple(day, time).map((parts) => parts.join('T')),
    sql: '::varchar',
    shown: (value: string) => trimmed(value.replace('T', ' ')),
  },
  {
    column: column('instant', 'timestamp_tz'),
    type: 'TIMESTAMP WITH TIME ZONE',
    value: fc.tuple(day, time).map((parts) => `${parts.join('T')}Z`),
    sql: '::varchar',
    shown: (value: string) => `${trimmed(value.replace('T', ' ').replace('Z', ''))}+00`,
  },
  { column: column('id', 'uuid'), type: 'UUID', value: fc.uuid(), sql: '::varchar' },
  {
    column: column('bytes', 'bytes'),
    type: 'BLOB',
    value: fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64')),
    sql: '.to_base64()',
  },
  {
    column: column('list', 'array', { items: 'int64' }),
    type: 'BIGINT[]',
    value: fc.array(fc.option(fc.bigInt({ min: -9n, max: 2n ** 62n }).map(String)), {
      maxLength: 4,
    }),
    sql: '::varchar[]',
  },
  {
    column: column('names', 'array', { items: 'text' }),
    type: 'VARCHAR[]',
    value: fc.array(fc.option(text), { maxLength: 4 }),
  },
];

/** DuckDB leaves zeros at the end of a fraction out. */
function trimmed(value: string): string {
  return value.includes('.') ? value.replace(/0+$/, '') : value;
}

/** @throws {Error} where a value did not fit */
function bytesOf(parts: readonly EncoderReply[]): Buffer {
  return Buffer.concat(
    parts.map((part) => {
      if (typeof part !== 'string') return part;
      throw new Error(`A value of "${part}" does not fit its column.`);
    }),
  );
}

/** A file of records whose JSON texts come in pieces of some lines. */
function fileOf(columns: readonly ExportedColumn[], lines: readonly string[], pieces = 1): Buffer {
  const encoder = parquetEncoder(columns);
  const parts = [encoder.begin()];
  const size = Math.ceil(lines.length / pieces) || 1;
  for (let from = 0; from < lines.length; from += size) {
    const some = lines.slice(from, from + size);
    parts.push(encoder.add(some.map((line) => `${line}\n`).join('')));
  }
  return bytesOf([...parts, encoder.end()]);
}

const record = fc.tuple(...COLUMNS.map(({ value }) => fc.option(value)));

describe('a Parquet file', () => {
  it('has every value of every type, in its type, as another reader finds it', async () => {
    const columns = COLUMNS.map((one) => one.column);
    const quoted = COLUMNS.map(
      ({ column: { name }, sql = '' }) => `"${name.replaceAll('"', '""')}"${sql}`,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 8 }),
        fc.integer({ min: 1, max: 3 }),
        async (records, pieces) => {
          const lines = records.map((values) =>
            JSON.stringify(
              Object.fromEntries(values.map((value, at) => [columns[at]?.name, value])),
            ),
          );
          const file = fileOf(columns, lines, pieces);
          const found = await readParquet(file, `select ${quoted.join(', ')} from file`);
          const wanted = records.map((values) =>
            values.map((value, at) => {
              const shown = COLUMNS[at]?.shown;
              return value === null || shown === undefined ? value : shown(value as never);
            }),
          );
          expect(found).toEqual(wanted);
        },
      ),
      { numRuns: 20, seed: SEED },
    );
    expect(await columnTypes(fileOf(columns, []))).toEqual(
      Object.fromEntries(COLUMNS.map(({ column: { name }, type }) => [name, type])),
    );
  });

  it('keeps the digits of JSON, and says that it is JSON', async () => {
    const columns = [column('json', 'json'), column('lists', 'array', { items: 'json' })];
    const lines = [
      '{"json":{"a":[1.50,12345678901234567890]},"lists":[[1.0],"x"]}',
      '{"json":"text","lists":null}',
    ];
    const file = fileOf(columns, lines);
    expect(await columnTypes(file)).toEqual({ json: 'JSON', lists: 'JSON' });
    expect(await readParquet(file, 'select json::varchar, lists::varchar from file')).toEqual([
      ['{"a":[1.50,12345678901234567890]}', '[[1.0],"x"]'],
      ['"text"', null],
    ]);
  });

  it('has days before our era and far years, and the infinities of numbers', async () => {
    const columns = [
      column('day', 'date'),
      column('moment', 'timestamp'),
      column('ratio', 'float64'),
    ];
    const lines = [
      '{"day":null,"moment":null,"ratio":"NaN"}',
      '{"day":"0044-03-15 BC","moment":"0001-12-31T23:59:59 BC","ratio":"-Infinity"}',
      '{"day":"5874897-12-31","moment":"12026-02-28T00:00:00.5","ratio":"Infinity"}',
    ];
    const sql = 'select day::varchar, moment::varchar, ratio::varchar from file';
    expect(await readParquet(fileOf(columns, lines), sql)).toEqual([
      [null, null, 'nan'],
      ['0044-03-15 (BC)', '0001-12-31 (BC) 23:59:59', '-inf'],
      ['5874897-12-31', '12026-02-28 00:00:00.5', 'inf'],
    ]);
  });

  it('has hours of a time zone as the instants that they are', async () => {
    const lines = ['2024-10-27T02:00:00+02:00', '2024-10-27T02:00:00+01:00', '2024-01-01T00:00:00Z']
      .concat(
        '1900-01-01T00:00:00+00:09:21',
        '1880-01-01T00:00:00-04:56:02',
        '0044-03-15T01:00:00+05:30 BC',
      )
      .map((hour) => JSON.stringify({ hour }));
    const file = fileOf([column('hour', 'timestamp_tz')], lines);
    expect(await readParquet(file, 'select hour::varchar from file')).toEqual([
      ['2024-10-27 00:00:00+00'],
      ['2024-10-27 01:00:00+00'],
      ['2024-01-01 00:00:00+00'],
      ['1899-12-31 23:50:39+00'],
      ['1880-01-01 04:56:02+00'],
      ['0044-03-14 (BC) 19:30:00+00'],
    ]);
  });

  it('has nanoseconds where the column has them', async () => {
    const fine: Partial<ExportedColumn> = { extremes: ['nanoseconds'] };
    const columns = [
      column('moment', 'timestamp', fine),
      column('at', 'time', fine),
      column('moments', 'array', { items: 'timestamp', ...fine }),
    ];
    const moment = '2026-01-31T10:00:00.123456789';
    const lines = [
      JSON.stringify({ moment, at: '23:59:59.999999999', moments: [moment, null] }),
      JSON.stringify({ moment: '1677-09-22T00:00:00', at: '24:00:00', moments: [] }),
    ];
    const file = fileOf(columns, lines);
    expect(await columnTypes(file)).toEqual({
      moment: 'TIMESTAMP_NS',
      at: 'TIME_NS',
      moments: 'TIMESTAMP_NS[]',
    });
    const sql = 'select moment::varchar, "at"::varchar, moments::varchar[] from file';
    const shown = '2026-01-31 10:00:00.123456789';
    expect(await readParquet(file, sql)).toEqual([
      [shown, '23:59:59.999999999', [shown, null]],
      ['1677-09-22 00:00:00', '24:00:00', []],
    ]);
  });

  it('keeps the sign of a zero, within a list too', async () => {
    const columns = [column('ratio', 'float64'), column('all', 'array', { items: 'float64' })];
    const file = fileOf(columns, ['{"ratio":-0,"all":[-0,0,1e+21]}']);
    const found = await readParquet(file, 'select ratio::varchar, "all"::varchar[] from file');
    expect(found).toEqual([['-0.0', ['-0.0', '0.0', '1e+21']]]);
  });

  it.each<[Partial<ExportedColumn> & { type: WireType }, unknown]>([
    [{ type: 'int32' }, 1.5],
    [{ type: 'int64' }, '9223372036854775808'],
    [{ type: 'decimal', decimal: { precision: 4, scale: 2 } }, '1.234'],
    [{ type: 'decimal', decimal: { precision: 4, scale: 2 } }, '100.00'],
    [{ type: 'decimal', decimal: { precision: 4, scale: 2 } }, 'NaN'],
    [{ type: 'float64' }, ''],
    [{ type: 'float64' }, '0x10'],
    [{ type: 'date' }, '0000-00-00'],
    [{ type: 'date' }, 'infinity'],
    [{ type: 'timestamp' }, '-infinity'],
    [{ type: 'timestamp_tz' }, 'infinity'],
    [{ type: 'date' }, '2026-02-30'],
    [{ type: 'timestamp' }, '2026-02-28'],
    [{ type: 'timestamp_tz' }, '294277-01-01T00:00:00Z'],
    [{ type: 'time' }, '24:00:01'],
    [{ type: 'time' }, '23:59:59.1234567'],
    [{ type: 'timestamp' }, '2026-02-28T24:00:01'],
    [{ type: 'timestamp', extremes: ['nanoseconds'] }, '2300-01-01T00:00:00'],
    [{ type: 'boolean' }, 2],
    [{ type: 'uuid' }, 'x'],
    [{ type: 'array', items: 'int32' }, [[1], [2]]],
  ])('is refused rather than wrong: %j cannot hold %j', ({ type, ...more }, value) => {
    const columns = [column('name', type, more)];
    const lines = [JSON.stringify({ name: value })];
    expect(() => fileOf(columns, lines)).toThrow('"name" does not fit');
  });

  it('has row groups, so that no more than one of them is in memory', async () => {
    const line = JSON.stringify({ id: 7, word: 'x'.repeat(1000) });
    const lines = Array.from({ length: 2500 }, () => line);
    const encoder = parquetEncoder([column('id', 'int32'), column('word', 'text')]);
    const parts = [encoder.begin()];
    for (const one of lines) parts.push(encoder.add(`${one}\n`));
    expect(parts.filter(({ length }) => length > 0).length).toBe(5);
    const file = bytesOf([...parts, encoder.end()]);
    expect(
      await readParquet(file, 'select count(*)::int, sum(length(word))::int from file'),
    ).toEqual([[2500, 2_500_000]]);
    const read = await parquetReadObjects({ file: arrayBufferOf(file), columns: ['id'] });
    expect(read).toHaveLength(2500);
  });

  it('is no file before its end', async () => {
    const encoder = parquetEncoder([column('id', 'int32')]);
    const begun = [encoder.begin(), encoder.add('{"id":1}\n')];
    await expect(readParquet(bytesOf(begun), 'select 1 from file')).rejects.toThrow(
      /too small|magic/i,
    );
  });
});

function arrayBufferOf({ buffer, byteOffset, byteLength }: Buffer): ArrayBuffer {
  return (buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength);
}
