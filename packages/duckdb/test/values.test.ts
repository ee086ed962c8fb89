import { join } from 'node:path';

import { EVERYTHING } from '@proj/engine';
import { expect, it } from 'vitest';

import { execute, newFolder, open, openOver, pageOf } from './opened.ts';

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
  ['float', '0.1', '0.1'],
  ['float', '16777216', '16777216'],
  ['float', '1e-30', '1e-30'],
  ['double', `'-Infinity'`, '"-Infinity"'],
  ['double', `'NaN'`, '"NaN"'],
  ['double', `'-0'`, '-0'],
  ['timestamp_s', `'2026-01-31 23:59:59'`, '"2026-01-31T23:59:59"'],
  ['timestamp_ms', `'2026-01-31 23:59:59.123'`, '"2026-01-31T23:59:59.123"'],
  ['timestamp_ns', `'2026-01-31 23:59:59.123456789'`, '"2026-01-31T23:59:59.123456789"'],
  ['timestamptz', `'2026-01-31 23:59:59.5+02'`, '"2026-01-31T21:59:59.5Z"'],
  ['timestamptz', `'infinity'`, '"infinity"'],
  ['timestamp', `'0044-03-15 (BC) 10:00:00'`, '"0044-03-15T10:00:00 BC"'],
  ['timetz', `'12:30:00+02'`, '"12:30:00+02"'],
  ['time_ns', `'23:59:59.123456789'`, '"23:59:59.123456789"'],
  ['interval', `'1 year 2 days 00:00:00.5'`, '"1 year 2 days 00:00:00.5"'],
  ['interval', `'-1 year -1 day 25:00:00'`, '"-1 years -1 days +25:00:00"'],
  ['interval', 'to_months(14) - to_days(21)', '"1 year 2 mons -21 days"'],
  ['interval[]', `['-25:59:59.5'::interval, null]`, '["-25:59:59.5",null]'],
  ['bit', `'101'`, '"101"'],
  ['uuid', `'7C1D9A52-6f0e-4d6a-9a62-5f2f4c0e8b11'`, '"7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11"'],
  [`enum('a"b', 'c')`, `'a"b'`, String.raw`"a\"b"`],
  ['varchar', `'a' || chr(0) || 'b' || chr(27)`, String.raw`"a\u0000b\u001b"`],
  ['varchar', `chr(65279) || 'b'`, '"\ufeffb"'],
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
  const columns = VALUES.map(([type], index) => `c${index} ${type}`);
  const literals = VALUES.map(([, literal]) => literal);
  const engine = await openOver([
    `create table kept (id integer primary key, ${columns.join(', ')})`,
    `insert into kept values (1, ${literals.join(', ')})`,
    `insert into kept (id) values (2)`,
  ]);
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

/** What DuckDB takes for JSON, what travels, and what does of a place that holds it. */
const JSONS: readonly (readonly [text: string, json: string, place?: string])[] = [
  ['[1, 2 , ]', '"[1, 2 , ]"', '[1,2]'],
  ['{"a": [1],}', String.raw`"{\"a\": [1],}"`, '{"a":[1]}'],
  ['NaN', '"NaN"'],
  [
    '[-inf, nan, {"b": -1}]',
    String.raw`"[-inf, nan, {\"b\": -1}]"`,
    String.raw`"[-inf,nan,{\"b\":-1}]"`,
  ],
  ['{"a": -iNfInItY}', String.raw`"{\"a\": -iNfInItY}"`, String.raw`"{\"a\":-iNfInItY}"`],
  ['"NaN, ]"', '"NaN, ]"'],
  [String.raw`[ "\\", "nan\"inf,]" , null]`, String.raw`["\\","nan\"inf,]",null]`],
  ['{"Infinity": 1, "a": 1, "a": -0}', '{"Infinity":1,"a":1,"a":-0}'],
  ['[1e400, 1E-05, true]', '[1e400,1E-05,true]'],
];

it('what only DuckDB takes for JSON travels as a text, and what is JSON as it is written', async () => {
  const rows = JSONS.map(([text], id) => `(${id}, '${text}', ['${text}'], '{"in": ${text}}')`);
  const place = { json: 'c', path: ['in'] };
  const engine = await openOver(
    [
      'create table kept (id integer primary key, a json, b json[], c json)',
      `insert into kept values ${rows.join(', ')}`,
    ],
    {
      models: {
        kept: {
          attributes: {
            d: { ...place, type: 'json' },
            e: { ...place, type: 'float64' },
            f: { ...place, type: 'int32' },
          },
        },
      },
    },
  );
  const page = { page: 1, size: 100 };
  const body = { query_model: 'kept', query_attributes: ['a', 'b', 'd', 'e', 'f'], page };
  const { result } = await engine.query(body, EVERYTHING);
  const expected = JSONS.map(
    ([, json, at = json]) => `{"a":${json},"b":[${json}],"d":${at},"e":null,"f":null}`,
  );
  expect(result).toBe(`[${expected.join(',')}]`);
});

it('numbers that no double holds are found, sorted and added exactly, and compared with those of more digits', async () => {
  const engine = await openOver([
    `create table numbers (
      id integer primary key, h hugeint, d decimal(38, 10), w decimal(38, 10), n decimal(20, 2), part int default 1)`,
    `insert into numbers (id, h, d, w, n) values
      (1, '170141183460469231731687303715884105727', '0.0000000001', '1234567890123456789012345678.0123456789', '123456789012345678.25'),
      (2, '170141183460469231731687303715884105726', '0.0000000002', '-0.5', '-0.5'), (3, -1, 7, null, null)`,
  ]);
  const large = `1${'0'.repeat(60)}`;
  for (const [attribute, op, value, ids] of [
    ['h', 'eq', '170141183460469231731687303715884105727', [1]],
    ['h', 'lt', '170141183460469231731687303715884105726.5', [2, 3]],
    ['h', 'gte', '-1.5', [1, 2, 3]],
    ['d', 'gt', '0.00000000015', [2, 3]],
    ['d', 'eq', '0.00000000015', []],
    ['d', 'lt', large, [1, 2, 3]],
    ['w', 'gt', '0.00000000015', [1]],
    ['w', 'lt', '-0.49999999999', [2]],
    ['w', 'in', ['-0.50', large], [2]],
    ['n', 'in', ['123456789012345678.24', large, '-0.501'], []],
    ['n', 'lte', '123456789012345678.251', [1, 2]],
    ['n', 'between', [`-${large}`, `9${'0'.repeat(40)}`], [1, 2]],
  ] as const) {
    const query_filter = { attribute, op, value };
    const asked = { query_model: 'numbers', query_attributes: ['id'], query_filter };
    expect([op, value, (await pageOf(engine, asked)).records]).toEqual([
      op,
      value,
      ids.map((id) => ({ id })),
    ]);
  }
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

/** Each type with a list, and filters with whether it holds what they ask for. */
const LISTS: readonly (readonly [
  type: string,
  literal: string,
  ...cases: readonly [op: string, value: unknown, isHeld: boolean][],
])[] = [
  ['integer[]', '[1, null]', ['has', 1, true], ['has_all', [1, 2], false]],
  ['integer[2]', '[1, 2]', ['has_all', [2, 1], true], ['has_any', ['99999999999'], false]],
  ['ubigint[]', '[18446744073709551615]', ['has', '18446744073709551615', true]],
  ['hugeint[]', '[9007199254740993]', ['has', '9007199254740992', false]],
  [
    'decimal(4, 2)[]',
    '[1.5]',
    ['has', '1.500', true],
    ['has_any', ['1.505', `9${'0'.repeat(60)}`], false],
  ],
  ['float[]', "['0.1', 'NaN', '0']", ['has_all', [0.1, 'NaN', 0], true], ['has', 0.11, false]],
  ['double[]', "['-0']", ['has', 0, true]],
  ['boolean[]', '[true]', ['has', false, false], ['has', true, true]],
  ['varchar[]', `['a', 'b"']`, ['has_all', ['a', 'b"'], true], ['has', 'A', false]],
  [`enum('a', 'b')[]`, `['a']`, ['has', 'a', true], ['has', 'c', false]],
  ['date[]', `['infinity', '2026-01-31']`, ['has_all', ['infinity', '2026-01-31'], true]],
  ['timestamp_ns[]', `['2026-01-31 01:02:03.5']`, ['has', '2026-01-31T01:02:03.500', true]],
  ['timestamptz[]', `['2026-01-31 01:00:00+01']`, ['has', '2026-01-31T00:00:00Z', true]],
  [
    'uuid[]',
    `['7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11']`,
    ['has', '7C1D9A52-6F0E-4D6A-9A62-5F2F4C0E8B11', true],
  ],
  ['blob[]', `['\\x00\\xFF']`, ['has', 'AP8=', true]],
  ['interval[]', `['1 day']`, ['has', 'PT24H', true], ['has', '25:00:00', false]],
  ['json[]', `['1.0', '"a"', '[2]']`, ['has_all', [1, 'a'], true], ['has', 2, false]],
  [
    'json',
    `'[0.1234567890123456789, 1e400, -1E-7]'`,
    ['has', { number: '0.1234567890123456789' }, true],
    ['has', 0.12345678901234568, false],
    ['has', -1e-7, true],
  ],
  ['varchar[][]', `[['a']]`, ['has', 'a', false]],
  ['struct(a varchar)', `{'a': 'a'}`, ['has', 'a', false]],
  ['map(varchar, varchar)', `map {'a': 'a'}`, ['has', 'a', false]],
];

it('filters find what lists of any type hold, and neither NULL nor others', async () => {
  const literals = LISTS.map(([type, literal]) => `${literal}::${type}`);
  const engine = await openOver([
    `create table kept (id integer primary key, ${LISTS.map(([type], at) => `c${at} ${type}`).join(', ')})`,
    `insert into kept values (1, ${literals.join(', ')})`,
    'insert into kept (id) values (2)',
  ]);
  const totalOf = async (query_filter: unknown): Promise<string | null> =>
    (await pageOf(engine, { query_model: 'kept', query_attributes: ['id'], query_filter })).total;
  for (const [at, [type, , ...cases]] of LISTS.entries()) {
    for (const [op, value, isHeld] of cases) {
      const filter = { attribute: `c${at}`, op, value };
      const found = [type, value, await totalOf(filter), await totalOf({ not: filter })];
      expect(found).toEqual([type, value, ...(isHeld ? ['1', '0'] : ['0', '1'])]);
    }
  }
});

/** Equal ones together, in order. */
const LENGTHS = [
  ['-1 days'],
  ['00:00:00'],
  ['00:00:00.000001'],
  ['1 day', '24:00:00'],
  ['1 mon -1 days +23:59:59'],
  ['1 mon', '30 days', '720:00:00'],
  ['31 days'],
  ['2147483646:59:59.999999'],
];

/** Where nanoseconds differ, and others do not. */
const NANOSECONDS = ['00:00:00', '10:20:30.5', '10:20:30.500000001', '10:20:30.500000002'];

it('intervals are compared, sorted and grouped like those of DuckDB, and keep their parts', async () => {
  const rows = LENGTHS.flatMap((equal, size) => equal.map((length) => ({ length, size })));
  const literals = rows.map(({ length, size }, id) => {
    const [, hours, rest] = /^(\d{6,})(:.*)$/.exec(length) ?? [];
    const value =
      hours === undefined ? `'${length.replace('+', '')}'` : `to_hours(${hours}) + '00${rest}'`;
    return `(${id}, ${size}, ${value}::interval)`;
  });
  const engine = await openOver([
    'create table kept (id integer primary key, size integer, length interval)',
    `insert into kept values ${literals.join(', ')}, (100, 100, null)`,
  ]);
  const asked = { query_model: 'kept', query_attributes: ['length'] };
  const lengthsOf = async (others: object): Promise<unknown[]> =>
    (await pageOf(engine, { ...asked, ...others })).records.map(
      (one) => Object.values(one as object)[0],
    );
  const query_sort = [{ attribute: 'length', direction: 'asc' }];
  expect(await lengthsOf({ query_sort })).toEqual([...LENGTHS.flat(), null]);
  for (const { length, size } of rows) {
    for (const [op, wanted] of [
      ['eq', LENGTHS[size]],
      ['in', LENGTHS[size]],
      ['lt', LENGTHS.slice(0, size).flat()],
      ['gte', LENGTHS.slice(size).flat()],
    ] as const) {
      const value = op === 'in' ? [length] : length;
      const query_filter = { attribute: 'length', op, value };
      expect([op, length, ...(await lengthsOf({ query_filter }))]).toEqual([
        op,
        length,
        ...(wanted ?? []),
      ]);
    }
  }
  const inIso = { attribute: 'length', op: 'eq', value: 'P1M-1DT23H59M59S' };
  expect(await lengthsOf({ query_filter: inIso })).toEqual(['1 mon -1 days +23:59:59']);
  const groups = await pageOf(engine, {
    query_model: 'kept',
    query_attributes: ['length', 'n', 'most'],
    query_groups: ['length'],
    query_aggregates: [
      { name: 'n', op: 'count' },
      { name: 'most', op: 'max', attribute: 'length' },
    ],
  });
  const expected = LENGTHS.map((equal) => {
    const [length] = equal.toSorted();
    return { length, n: String(equal.length), most: equal.toSorted().at(-1) };
  });
  expect(groups.records).toEqual([...expected, { length: null, n: '1', most: null }]);
  const page = { containing: { id: rows.length - 1 }, size: 3 };
  expect(await lengthsOf({ query_sort, page })).toContain('2147483646:59:59.999999');
});

it.each(['timestamp_ns', 'time_ns'])('filters tell all nanoseconds of %s apart', async (type) => {
  const values = NANOSECONDS.map((time) => (type === 'time_ns' ? time : `2026-01-31T${time}`));
  const literals = values.map((value, id) => `(${id}, '${value}')`);
  const engine = await openOver([
    `create table kept (id integer primary key, moment ${type})`,
    `insert into kept values ${literals.join(', ')}`,
  ]);
  for (const [id, value] of values.entries()) {
    const asked = { query_model: 'kept', query_attributes: ['moment'] };
    const query_filter = { attribute: 'moment', op: 'gte', value };
    const { records } = await pageOf(engine, { ...asked, query_filter });
    expect(records).toEqual(values.slice(id).map((moment) => ({ moment })));
  }
});

it('values of a struct whose members have no names travel as a list', async () => {
  const row = `row(1::bigint, '2026-01-31 01:00:00+01'::timestamptz, 0.5::decimal(4, 2), null)`;
  const views = [
    `create view v as select 1 as id, ${row} as r, [row('x', {'a': row([2], time '10:00')})] as l
     union all select 2, null, [null]`,
  ];
  const engine = await openOver(views, { models: { v: { key: ['id'] } } });
  const { records } = await pageOf(engine, { query_model: 'v', query_attributes: ['r', 'l'] });
  expect(records).toEqual([
    { r: ['1', '2026-01-31T00:00:00Z', '0.50', null], l: [['x', { a: [[2], '10:00:00'] }]] },
    { r: null, l: [null] },
  ]);
});

it('a view cuts instants into days of UTC, whatever the zone of the machine', async () => {
  const path = join(newFolder(), 'days.duckdb');
  const day = `'2026-01-31 23:00:00+00'::timestamptz::date as day`;
  await execute(
    [`create view v as select 1 as id, ${day}, current_setting('timezone') as z`],
    path,
  );
  const engine = await open({ database: `duckdb:${path}`, models: { v: { key: ['id'] } } });
  const { records } = await pageOf(engine, { query_model: 'v', query_attributes: ['day', 'z'] });
  expect(records).toEqual([{ day: '2026-01-31', z: 'UTC' }]);
});
