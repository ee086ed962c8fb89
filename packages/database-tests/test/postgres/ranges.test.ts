import type { Engine } from '@proj/engine';
import { beforeRelease, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { idsOf } from '../lists.ts';
import { ask, open } from '../open.ts';
import { usePostgres } from './server.ts';

const REQUESTS = Number(process.env['ORACLE_REQUESTS'] ?? (beforeRelease ? 1500 : 150));

/** Types of ranges, with some values of their bounds in ascending order. */
const BOUNDS: Readonly<Record<string, readonly string[]>> = {
  int4: ['-2147483648', '-1', '0', '1', '5', '2147483646'],
  int8: ['-9223372036854775808', '0', '9007199254740993', '9223372036854775806'],
  num: ['-Infinity', '-0.01', '0', '1.5', '1.50', '10', 'Infinity', 'NaN'],
  date: ['-infinity', '0044-03-15 BC', '2024-02-29', '2024-03-01', '10000-01-01', 'infinity'],
  ts: ['-infinity', '2024-02-29T00:00:00', '2024-02-29T00:00:00.000001', 'infinity'],
  tstz: ['0044-03-15T00:00:00Z BC', '2024-02-29T00:00:00Z', '2024-02-29T00:00:01Z'],
};

const ELEMENTS: Readonly<Record<string, string>> = {
  int4: 'int4',
  int8: 'int8',
  num: 'numeric',
  date: 'date',
  ts: 'timestamp',
  tstz: 'timestamptz',
};

function anyRange(kind: string): fc.Arbitrary<string> {
  const values = BOUNDS[kind] ?? [];
  const places = fc.tuple(fc.nat(values.length), fc.nat(values.length));
  const brackets = fc.tuple(fc.constantFrom('[', '('), fc.constantFrom(']', ')'));
  const range = fc.tuple(places, brackets).map(([[a, b], [opening, closing]]) => {
    const [lower = '', upper = ''] = [values[Math.min(a, b)], values[Math.max(a, b)]];
    return `${opening}${lower},${upper}${closing}`;
  });
  return fc.oneof({ arbitrary: range, weight: 6 }, fc.constant('empty'));
}

/** Without quotes, which texts of moments have. */
const anyColumn = fc.constantFrom(
  ...Object.keys(BOUNDS).flatMap((kind) => [
    { kind, type: `${kind}range` },
    { kind, type: `${kind}multirange` },
  ]),
);

const anyFilter = anyColumn.chain(({ kind, type }) => {
  const range = anyRange(kind);
  const several = fc.array(
    range.filter((one) => one !== 'empty'),
    { maxLength: 3 },
  );
  return fc.record({
    kind: fc.constant(kind),
    attribute: fc.constant(type),
    op: fc.constantFrom('contains', 'overlaps'),
    value: fc.oneof(
      fc.constantFrom(...(BOUNDS[kind] ?? [])),
      range,
      ...(type.includes('multi') ? [several.map((parts) => `{${parts.join()}}`)] : []),
    ),
    isNegated: fc.boolean(),
  });
});

const rows = fc
  .sample(
    fc.tuple(...Object.keys(BOUNDS).map((kind) => fc.tuple(anyRange(kind), anyRange(kind)))),
    { numRuns: 120, seed: SEED },
  )
  .map((row, id) => {
    const values = row.flatMap(([one, other], index) =>
      (id + index) % 11 === 0
        ? ['null', 'null']
        : [`'${one}'`, `'{${[one, other].filter((part) => part !== 'empty').join()}}'`],
    );
    return `(${[id + 1, ...values].join(', ')})`;
  });

const COLUMNS = Object.keys(BOUNDS).flatMap((kind) => [
  `${kind}range ${kind}range`,
  `${kind}multirange ${kind}multirange`,
]);

const SQL = `
  create domain reach as int4range;
  create table ranges (id int primary key, ${COLUMNS.join(', ')});
  insert into ranges values ${rows.join(', ')};
  create table booked (id int primary key, at daterange, reach reach);
  insert into booked select n, daterange(date '2024-01-01' + n, date '2024-01-03' + n),
    int4range(n, n + 2) from generate_series(1, 3000) as n;
  create index on booked using gist (at);
  analyze booked;`;

describe(`filters of ranges of PostgreSQL (seed ${SEED})`, () => {
  const database = usePostgres(SQL);
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(database().url);
  });

  const ids = (model: string, filter: unknown): Promise<unknown[]> => idsOf(engine, model, filter);

  it(`keep for ${REQUESTS} random values what SQL written by hand keeps`, async () => {
    const filters = fc.sample(anyFilter, { numRuns: REQUESTS, seed: SEED });
    const selects = filters.map(({ kind, attribute, op, value, isNegated }) => {
      const isSeveral = value.startsWith('{');
      const type = /^[[(]|^empty$/.test(value) ? `${kind}range` : attribute;
      const other = /^[[({]|^empty$/.test(value)
        ? `'${value}'::${isSeveral ? attribute : type}`
        : `'${value}'::${ELEMENTS[kind]}`;
      const isValue = !/^[[({]|^empty$/.test(value);
      const operator = op === 'contains' || isValue ? '@>' : '&&';
      const where = `${isNegated ? 'not ' : ''}(${attribute} ${operator} ${other})`;
      return `(select coalesce(json_agg(id order by id), '[]') from ranges where ${where})`;
    });
    const lines = await database().client(selects.map((select) => `select ${select};`).join('\n'));
    const expected = lines.trim().split('\n');
    for (const [index, { attribute, op, value, isNegated }] of filters.entries()) {
      const leaf = { attribute, op, value };
      const found = await ids('ranges', isNegated ? { not: leaf } : leaf);
      expect([leaf, found]).toEqual([leaf, JSON.parse(expected[index] ?? '') as unknown]);
    }
  });

  it('find the ranges of a reply again by their texts', async () => {
    for (const [type, kind] of Object.keys(BOUNDS).map((one) => [`${one}range`, one] as const)) {
      const filter = { attribute: type, op: 'is_null', value: false };
      const list = { model: 'ranges', attributes: ['id', type], filter, size: 5 };
      for (const { id, [type]: value } of (await ask(engine, list)).records) {
        const found = await ids('ranges', { attribute: type, op: 'contains', value });
        expect([kind, found]).toEqual([kind, expect.arrayContaining([id])]);
      }
    }
  });

  it('reach into domains of ranges, and refuse what is no range of theirs', async () => {
    expect(await ids('booked', { attribute: 'reach', op: 'contains', value: 7 })).toEqual([6, 7]);
    expect(await ids('booked', { attribute: 'at', op: 'overlaps', value: '2024-01-02' })).toEqual([
      1,
    ]);
    const value = '[7,1)';
    const refused = ids('booked', { attribute: 'reach', op: 'contains', value });
    await expect(refused).rejects.toMatchObject({ errors: [{ code: 'invalid_value' }] });
  });
});
