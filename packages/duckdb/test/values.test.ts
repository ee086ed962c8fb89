import { join } from 'node:path';

import { EVERYTHING } from '@proj/engine';
import { expect, it } from 'vitest';

import { execute, newFolder, open, pageOf } from './opened.ts';

/** Each type with a literal, and the JSON that travels. */
const VALUES: readonly (readonly [type: string, literal: string, json: string])[] = [
  ['utinyint', '255', '255'],
  ['uinteger', '4294967295', '"4294967295"'],
  ['ubigint', '18446744073709551615', '"18446744073709551615"'],
  [
    'hugeint',
    `'-170141183460469231731687303715884105728'`,
    '"-170141183460469231731687303715884105728"',
  ],
  [
    'uhugeint',
    `'340282366920938463463374607431768211455'`,
    '"340282366920938463463374607431768211455"',
  ],
  [
    'bignum',
    `'123456789012345678901234567890123456789012345'`,
    '"123456789012345678901234567890123456789012345"',
  ],
  [
    'decimal(38, 10)',
    `'1234567890123456789012345678.0123456789'`,
    '"1234567890123456789012345678.0123456789"',
  ],
  ['float', '0.1', '0.1'],
  ['float', '16777216', '16777216'],
  ['float', '1e-30', '1e-30'],
  ['double', `'-Infinity'`, '"-Infinity"'],
  ['double', `'NaN'`, '"NaN"'],
  ['double', `'-0'`, '-0'],
  ['timestamp_s', `'2026-01-31 23:59:59'`, '"2026-01-31T23:59:59"'],
  ['timestamp_ms', `'2026-01-31 23:59:59.123'`, '"2026-01-31T23:59:59.123"'],
  ['timestamp', `'2026-01-31 23:59:59.123456'`, '"2026-01-31T23:59:59.123456"'],
  ['timestamp_ns', `'2026-01-31 23:59:59.123456789'`, '"2026-01-31T23:59:59.123456789"'],
  ['timestamptz', `'2026-01-31 23:59:59.5+02'`, '"2026-01-31T21:59:59.5Z"'],
  ['timestamptz', `'infinity'`, '"infinity"'],
  ['timestamp', `'0044-03-15 (BC) 10:00:00'`, '"0044-03-15T10:00:00 BC"'],
  ['timetz', `'12:30:00+02'`, '"12:30:00+02"'],
  ['interval', `'1 year 2 days 00:00:00.5'`, '"1 year 2 days 00:00:00.5"'],
  ['bit', `'101'`, '"101"'],
  ['blob', `'\\x00\\xFF'`, '"AP8="'],
  ['uuid', `'7C1D9A52-6f0e-4d6a-9a62-5f2f4c0e8b11'`, '"7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11"'],
  [`enum('a"b', 'c')`, `'a"b'`, String.raw`"a\"b"`],
  ['varchar', `'a' || chr(0) || 'b' || chr(27)`, String.raw`"a\u0000b\u001b"`],
  ['varchar', `chr(65279) || 'b'`, '"\ufeffb"'],
  ['json', `'{"a": [1, 2.50, 1e400]}'`, '{"a":[1,2.50,1e400]}'],
  ['bigint[]', '[1, null, 9007199254740993]', '["1",null,"9007199254740993"]'],
  ['double[]', `['NaN'::double, 0.5]`, '["NaN",0.5]'],
  ['integer[2]', '[1, 2]', '[1,2]'],
  ['varchar[][]', `[['a,b'], [], null]`, '[["a,b"],[],null]'],
  [
    'struct(a double, "b ""c" hugeint, d struct(e date)[])',
    `{'a': 'NaN'::double, 'b "c': 5, 'd': [{'e': date '2026-01-31'}, null]}`,
    String.raw`{"a":"NaN","b \"c":"5","d":[{"e":"2026-01-31"},null]}`,
  ],
  [
    'map(varchar, decimal(4, 2))',
    `map {'k"': 1.5, 'l': null}`,
    String.raw`{"k\"":"1.50","l":null}`,
  ],
  ['map(integer, integer[])', `map {1: [2]}`, '{"1":[2]}'],
  ['union(number integer, text varchar)', `union_value(text := 'x')`, '{"text":"x"}'],
];

it('values of all types travel without loss, also within others', async () => {
  const path = join(newFolder(), 'values.duckdb');
  const columns = VALUES.map(([type], index) => `c${index} ${type}`);
  const literals = VALUES.map(([, literal]) => literal);
  await execute(
    [
      `create table kept (id integer primary key, ${columns.join(', ')})`,
      `insert into kept values (1, ${literals.join(', ')})`,
      `insert into kept (id) values (2)`,
    ],
    path,
  );
  const engine = await open({ database: `duckdb:${path}` });
  const { result } = await engine.query(
    {
      query_model: 'kept',
      query_attributes: VALUES.map((_, index) => `c${index}`),
      page: { page: 1, size: 2 },
    },
    EVERYTHING,
  );
  const [first = '', second = ''] = result.slice(1, -1).split('},{"c0"');
  const expected = VALUES.map(([, , json], index) => `"c${index}":${json}`);
  expect(`${first}}`).toBe(`{${expected.join(',')}}`);
  expect(Object.values(JSON.parse(`{"c0"${second}`) as object)).toEqual(VALUES.map(() => null));
});

it('numbers that no double holds are found, sorted and added exactly', async () => {
  const path = join(newFolder(), 'numbers.duckdb');
  await execute(
    [
      'create table numbers (id integer primary key, h hugeint, d decimal(38, 10), part int default 1)',
      `insert into numbers (id, h, d) values (1, '170141183460469231731687303715884105727', '0.0000000001'),
        (2, '170141183460469231731687303715884105726', '0.0000000002'), (3, -1, 7)`,
    ],
    path,
  );
  const engine = await open({ database: `duckdb:${path}` });
  const idsWhere = async (attribute: string, op: string, value: unknown): Promise<unknown> => {
    const query_filter = { attribute, op, value };
    const asked = { query_model: 'numbers', query_attributes: ['id'], query_filter };
    return (await pageOf(engine, asked)).records.map((one) => (one as { id: number }).id);
  };
  expect(await idsWhere('h', 'eq', '170141183460469231731687303715884105727')).toEqual([1]);
  expect(await idsWhere('h', 'lt', '170141183460469231731687303715884105726.5')).toEqual([2, 3]);
  expect(await idsWhere('h', 'gte', '-1.5')).toEqual([1, 2, 3]);
  expect(await idsWhere('d', 'gt', '0.00000000015')).toEqual([2, 3]);
  expect(await idsWhere('d', 'eq', '0.00000000015')).toEqual([]);
  expect(await idsWhere('d', 'lt', `1${'0'.repeat(60)}`)).toEqual([1, 2, 3]);
  const aggregates = ['sum', 'average'].flatMap((op) =>
    ['h', 'd'].map((attribute) => ({ name: `${op}_${attribute}`, op, attribute })),
  );
  const asked = {
    query_model: 'numbers',
    query_attributes: aggregates.map(({ name }) => name),
    query_groups: ['part'],
    query_aggregates: aggregates,
  };
  expect((await pageOf(engine, asked)).records).toEqual([
    {
      sum_h: '340282366920938463463374607431768211452',
      sum_d: '7.0000000003',
      average_h: '113427455640312821154458202477256070484',
      average_d: '2.3333333334333333',
    },
  ]);
});
