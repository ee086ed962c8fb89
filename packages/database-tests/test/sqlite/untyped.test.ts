import { DatabaseSync } from 'node:sqlite';

import { operatorsOf, type Operator } from '@proj/contract';
import { type Engine, EVERYTHING } from '@proj/engine';
import { SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { anyOf, compareStored, type Stored } from '../any-value.ts';
import { askFacets } from '../databases/checked-facets.ts';
import { databaseFile } from '../../../sqlite/test/database-file.ts';
import { deepPagesOf, onlyEnded } from '../index-builds.ts';
import { listOf } from '../lists.ts';
import { open } from '../open.ts';

/** Integers and reals that are equal, texts of digits, and the ends of what numbers there are. */
const VALUES: readonly Stored[] = [
  0n,
  1n,
  -1n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  -0,
  0,
  1,
  1.5,
  0.1,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  1e300,
  Infinity,
  -Infinity,
  '',
  '0',
  '1',
  '1.0',
  ' 1',
  'a',
  'A',
  'b',
  'é',
  'a\0b',
  '2026-01-31',
  ...['', '1', 'a', '\0', '\xff'].map((text) => Buffer.from(text, 'latin1')),
  null,
  null,
  null,
];

/** How columns without a type are declared, and those that only say ANY or TIME. */
const MODELS = {
  plain: { column: 'a', fold: (text: string) => text },
  folded: {
    column: 'a collate nocase',
    fold: (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
  },
  anything: { column: 'a any', fold: (text: string) => text },
  times: { column: 'a time', fold: (text: string) => text },
} as const;

type ModelName = keyof typeof MODELS;

interface Row {
  readonly id: number;
  readonly a: Stored;
}

/** Each value several times, in an order that tells nothing. */
const ROWS = Array.from({ length: 240 }, (_, index) => VALUES[(index * 7) % VALUES.length] ?? null);

let engine: Engine;
/** As SQLite stored them: a column of numbers turns digits into one. */
const rows = {} as Record<ModelName, Row[]>;

beforeAll(async () => {
  const path = databaseFile('pragma journal_mode = wal');
  const database = new DatabaseSync(path);
  for (const [name, { column }] of Object.entries(MODELS)) {
    database.exec(`create table ${name} (id integer primary key, ${column})`);
    const insert = database.prepare(`insert into ${name} (a) values (?)`);
    for (const value of ROWS) insert.run(value);
    const select = database.prepare(`select id, a from ${name} order by id`);
    select.setReadBigInts(true);
    rows[name as ModelName] = select.all().map(({ id, a = null }) => ({ id: Number(id), a }));
  }
  database.exec(`
    create table many (id integer primary key, a);
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 4000)
    insert into many select i, a from n join plain on plain.id = n.i % 240 + 1;
    create table keyed (a primary key not null, n int) without rowid;
    insert into keyed select a, min(id) from plain where a is not null group by a;
    create view shown as select id, a, coalesce(a, 'none') as b from plain;`);
  database.close();
  engine = await open(`sqlite:${path}`, {
    acceleration: { pageIndexMinOffset: 100, replyCache: false },
    models: { shown: { key: ['id'] } },
  });
});

/** NULL is neither equal to a value nor before or behind it. */
const KEEPS: Readonly<Record<string, (order: number) => boolean>> = {
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
};

interface Comparison {
  readonly op: Operator;
  readonly operands: readonly Stored[];
}

function keeps(name: ModelName, { op, operands }: Comparison, a: Stored): boolean {
  const isEqual = operands.some((value) => value !== null && compareStored(a, value) === 0);
  const order = (index: number): number =>
    compareStored(a, operands[index] ?? null, MODELS[name].fold);
  if (op === 'is_distinct') return operands[0] === null ? a !== null : a === null || !isEqual;
  if (a === null) return op === 'is_null';
  if (op === 'is_null') return false;
  if (op === 'eq' || op === 'in') return isEqual;
  if (op === 'ne' || op === 'not_in') return !isEqual;
  if (op === 'between') return order(0) >= 0 && order(1) <= 0;
  return KEEPS[op]?.(order(0)) ?? false;
}

const anyValue = fc.constantFrom(...VALUES.filter((value) => value !== null));

const anyComparison: fc.Arbitrary<Comparison> = fc
  .constantFrom(...operatorsOf('any'))
  .chain((op) => {
    const [minLength, maxLength] = op === 'between' ? [2, 2] : op.endsWith('in') ? [1, 4] : [1, 1];
    const operand = op === 'is_distinct' ? fc.option(anyValue, { freq: 5 }) : anyValue;
    return fc.record({
      op: fc.constant(op),
      operands: fc.array(operand, { minLength, maxLength }),
    });
  });

function filterOf({ op, operands }: Comparison): unknown {
  const values = operands.map((value) => anyOf(value));
  const value = /in$|between/.test(op) ? values : op === 'is_null' ? true : values[0];
  return { attribute: 'a', op, value };
}

/** The rows in an order by the column, and then by the key. */
function sorted(name: ModelName, direction: 'asc' | 'desc', nulls: 'first' | 'last'): Row[] {
  const { fold } = MODELS[name];
  return rows[name].toSorted((one, other) => {
    if (one.a === null || other.a === null) {
      if (one.a === other.a) return one.id - other.id;
      return (one.a === null) === (nulls === 'first') ? -1 : 1;
    }
    const order = compareStored(one.a, other.a, fold);
    return (direction === 'asc' ? order : -order) || one.id - other.id;
  });
}

async function asked(
  members: Parameters<typeof listOf>[0],
): Promise<{ records: unknown[]; total: string | null }> {
  const { result, page } = await engine.query(listOf(members), EVERYTHING);
  return { records: JSON.parse(result) as unknown[], total: page.total };
}

function manyAt(page: number, size: number): ReturnType<typeof asked> {
  return asked({
    query_model: 'many',
    query_attributes: ['id', 'a'],
    query_sort: [{ attribute: 'a' }],
    page: { page, size },
  });
}

const anyView = fc.record({
  direction: fc.constantFrom('asc' as const, 'desc' as const),
  nulls: fc.constantFrom('first' as const, 'last' as const),
  page: fc.integer({ min: 1, max: 40 }),
  isSorted: fc.boolean(),
});

const anyModel = fc.constantFrom(...(Object.keys(MODELS) as ModelName[]));

describe('a SQLite column without a type', () => {
  it('is filtered and sorted as SQLite stores and orders its values', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyModel,
        fc.option(anyComparison, { nil: undefined, freq: 8 }),
        anyView,
        async (name, comparison, { direction, nulls, page, isSorted }) => {
          const list = (isSorted ? sorted(name, direction, nulls) : rows[name]).filter(
            ({ a }) => comparison === undefined || keeps(name, comparison, a),
          );
          const reply = await asked({
            query_model: name,
            query_attributes: ['id', 'a'],
            ...(comparison && { query_filter: filterOf(comparison) }),
            ...(isSorted && { query_sort: [{ attribute: 'a', direction, nulls }] }),
            page: { page, size: 7 },
          });
          const shown = list.slice((page - 1) * 7, page * 7);
          expect(reply.total).toBe(String(list.length));
          expect(reply.records).toEqual(
            shown.map(({ id, a }) => ({ id: String(id), a: anyOf(a) })),
          );
        },
      ),
      { numRuns: 300, seed: SEED, endOnFailure: true },
    );
  });

  it('is grouped as eq compares, an integer standing for the real that equals it', async () => {
    const groups = Map.groupBy(
      rows.plain.filter(({ a }) => a !== null),
      ({ a }) => JSON.stringify(anyOf(leastOf(rows.plain, a))),
    );
    const reply = await asked({
      query_model: 'plain',
      query_groups: ['a'],
      query_aggregates: [{ name: 'n', op: 'count' }],
      query_filter: { attribute: 'a', op: 'is_null', value: false },
    });
    const counts = [...groups.values()].map(({ length, 0: first }) => ({
      a: anyOf(leastOf(rows.plain, first?.a ?? null)),
      n: String(length),
    }));
    expect(reply.records).toHaveLength(counts.length);
    expect(reply.records).toEqual(expect.arrayContaining(counts));
    const facets = [{ attribute: 'a', values: 100, sort: 'value' }];
    const [facet] = (await askFacets(engine, { model: 'plain', facets })).facets;
    const { values = [], distinct, ...ends } = facet ?? {};
    expect(values.map(({ value: a, count: n }) => ({ a, n }))).toEqual(reply.records);
    expect([distinct, ends]).toEqual([
      String(counts.length),
      {
        attribute: 'a',
        nulls: nullsIn(rows.plain),
        min: { number: '-Infinity' },
        max: { bytes: '/w==' },
      },
    ]);
  });

  it('has a first, a last and a number of values in groups', async () => {
    const reply = await asked({
      query_model: 'plain',
      query_attributes: ['distinct', 'first', 'last'],
      query_groups: ['id'],
      query_aggregates: [
        { name: 'distinct', op: 'count_distinct', attribute: 'a' },
        { name: 'first', op: 'min', attribute: 'a' },
        { name: 'last', op: 'max', attribute: 'a' },
      ],
      query_sort: [{ attribute: 'id' }],
      page: { page: 1, size: 240 },
    });
    expect(reply.records).toEqual(
      rows.plain.map(({ a }) => ({
        distinct: a === null ? '0' : '1',
        first: anyOf(a),
        last: anyOf(a),
      })),
    );
  });

  it('orders deep pages through a page index', async () => {
    expect(await deepPagesOf(engine, { model: 'many', sort: ['a'] })).toEqual(onlyEnded('built'));
    const whole = (await Promise.all([1, 2, 3, 4].map((page) => manyAt(page, 1000)))).flatMap(
      ({ records }) => records,
    );
    expect(new Set(whole.map((record) => JSON.stringify(record)))).toHaveLength(4000);
    for (const page of [1, 57, 121, 204, 333, 400])
      expect((await manyAt(page, 10)).records).toEqual(whole.slice((page - 1) * 10, page * 10));
  });

  it('names a record where it is the key', async () => {
    const keys = await asked({ query_model: 'keyed', query_attributes: ['a'] });
    for (const [index, key] of keys.records.entries()) {
      const { result, page } = await engine.query(
        { query_model: 'keyed', query_attributes: ['a'], page: { containing: key, size: 4 } },
        EVERYTHING,
      );
      expect([page.page, JSON.parse(result)]).toEqual([
        String(Math.floor(index / 4) + 1),
        keys.records.slice(index - (index % 4), index - (index % 4) + 4),
      ]);
    }
  });

  it('is one in a view too, which SQLite calls a blob there', () => {
    const attributes = engine.catalogue.get('shown')?.attributes;
    expect(['id', 'a', 'b'].map((name) => attributes?.get(name)?.type)).toEqual([
      'int64',
      'any',
      'any',
    ]);
  });
});

/** The least form among equal values of a column: -0, then an integer, then a real. */
function leastOf(all: readonly Row[], value: Stored): Stored {
  const equal = all.map(({ a }) => a).filter((a) => a !== null && compareStored(a, value) === 0);
  return (
    equal.find((a) => Object.is(a, -0)) ??
    equal.find((a) => typeof a === 'bigint') ??
    equal[0] ??
    null
  );
}

function nullsIn(all: readonly Row[]): string {
  return String(all.filter(({ a }) => a === null).length);
}
