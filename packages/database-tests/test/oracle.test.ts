import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';

import { SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { databaseFile } from '../../sqlite/test/database-file.ts';
import { anyOf } from './any-value.ts';
import { ask, open } from './open.ts';

type Value = null | bigint | number | string | Uint8Array;

const anyValue: fc.Arbitrary<Value> = fc.oneof(
  fc.constant(null),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.integer({ min: -3, max: 3 }).map(BigInt),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.uint8Array({ maxLength: 8 }),
);

/**
 * Tables with keys of one column and of two, of numbers and of texts, and the order that each key
 * gives.
 */
const SHAPES = [
  { columns: 'id integer primary key, k int', end: ')', order: 'id' },
  { columns: 'id int not null primary key, k int', end: ')', order: 'id' },
  { columns: 'id text not null unique, k int', end: ')', order: 'id' },
  { columns: 'id int, k int', end: ', primary key (k, id)) without rowid', order: 'k, id' },
  { columns: 'id int, k int', end: ')', order: 'rowid' },
] as const;

const LONGEST = 40;

const anyTable = fc.record({
  shape: fc.constantFrom(...SHAPES),
  ids: fc.uniqueArray(fc.integer({ min: -1000, max: 1000 }), { maxLength: LONGEST }),
  rows: fc.array(fc.tuple(anyValue, anyValue, anyValue), {
    minLength: LONGEST,
    maxLength: LONGEST,
  }),
});
type Table = typeof anyTable extends fc.Arbitrary<infer Made> ? Made : never;

const anyQuestion = fc.record({
  table: fc.nat(),
  attributes: fc.shuffledSubarray(['id', 'k', 'words', 'bytes', 'untyped'], { minLength: 1 }),
  page: fc.integer({ min: 1, max: 12 }),
  size: fc.integer({ min: 1, max: 15 }),
});
type Question = typeof anyQuestion extends fc.Arbitrary<infer Made> ? Made : never;

/** Writes the tables t0, t1 … into a new file. */
function write(tables: readonly Table[]): string {
  const path = databaseFile();
  const database = new DatabaseSync(path);
  for (const [index, { shape, ids, rows }] of tables.entries()) {
    database.exec(
      `create table t${index} (${shape.columns}, words text, bytes blob, untyped${shape.end}`,
    );
    const insert = database.prepare(
      `insert into t${index} (id, k, words, bytes, untyped) values (?, ?, ?, ?, ?)`,
    );
    for (const [row, id] of ids.entries()) insert.run(id, row % 3, ...(rows[row] ?? []));
  }
  database.close();
  return path;
}

/**
 * What SQL written by hand reads: all rows in the order of the key, of which the page is cut here.
 */
function expected(
  path: string,
  model: string,
  { shape }: Table,
  { attributes, page, size }: Question,
): unknown[][] {
  const database = new DatabaseSync(path, { readOnly: true });
  const statement = database.prepare(
    `select id, k, words, hex(bytes) as hex, bytes, untyped from ${model} order by ${shape.order}`,
  );
  statement.setReadBigInts(true);
  const rows = statement.all().slice((page - 1) * size, page * size);
  database.close();
  return rows.map((row) => attributes.map((name) => (WIRE_FORMS[name] ?? textOf)(row[name], row)));
}

/**
 * Whatever a BLOB column holds travels as bytes; SQLite gives the bytes of any value in
 * hexadecimal digits.
 */
function bytesOf(bytes: SQLOutputValue | undefined, { hex }: Row): string | null {
  return bytes === null ? null : Buffer.from(String(hex), 'hex').toString('base64');
}

type Row = Record<string, SQLOutputValue>;

const WIRE_FORMS: Readonly<
  Record<string, (value: SQLOutputValue | undefined, row: Row) => unknown>
> = { bytes: bytesOf, untyped: (value) => anyOf(value ?? null) };

function textOf(value: SQLOutputValue | undefined): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (typeof value !== 'number' || !String(value).includes('e')) return String(value);
  if (Number.isInteger(value)) return String(BigInt(value));
  return `${value < 0 ? '-' : ''}${writtenOut(Math.abs(value))}`;
}

/** A number below 1 that JavaScript prints with an exponent, without one. */
function writtenOut(value: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  return `0.${'0'.repeat(-Number(exponent) - 1)}${mantissa.replace('.', '')}`;
}

describe('a page', () => {
  it('is what SQL written by hand gives, for any table, page and choice of attributes', async () => {
    const tables = fc.array(anyTable, { minLength: 1, maxLength: 6 });
    const questions = fc.array(anyQuestion, { minLength: 10, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(tables, questions, async (made, asked) => {
        const path = write(made);
        const engine = await open(`sqlite:${path}`);
        for (const question of asked) {
          const index = question.table % made.length;
          const [table, model] = [made[index], `t${index}`];
          if (table === undefined) continue;
          const { records, page } = await ask(engine, { ...question, model });
          expect(records.map((record) => Object.values(record))).toEqual(
            expected(path, model, table, question),
          );
          expect(page).toEqual({
            page: String(question.page),
            size: String(question.size),
            total: String(table.ids.length),
            has_next: question.page * question.size < table.ids.length,
          });
        }
        await engine.close();
      }),
      { numRuns: 4, endOnFailure: true, seed: SEED },
    );
  });
});
