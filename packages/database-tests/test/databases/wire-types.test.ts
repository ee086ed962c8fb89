import { eachNth } from '@proj/test-servers';
import { describe, expect, it } from 'vitest';

import type { ColumnKind, StoredValue } from '../fixtures/fixture.ts';
import { fixturesOf } from '../fixtures/index.ts';
import { mysql } from '../fixtures/mysql.ts';
import { useTables } from './everywhere.ts';
import type { Table } from './tables.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const LARGE = Uint8Array.from({ length: 1_000_000 }, (_, index) => (index * 7919) % 256);
const OPEN =
  '{"a":[1,2.50,-0.0,1e400,123456789012345678901234567890.10],"b":{"c d":null,"é😀":true},"e":" x  \\" ","f":"\\u0041\\/"}';

/** What is stored, and the JSON text that travels. */
type Golden = readonly [stored: StoredValue, json: string];

const same = (json: string): Golden => [json, json];
const quoted = (text: string): Golden => [text, JSON.stringify(text)];
const number = (value: number): Golden => [value, String(value)];

/**
 * Values that every database can hold. What is missing differs: -0 (SQLite stores 0), NaN
 * (PostgreSQL only), the infinities (not MariaDB), NUL in texts and numbers past 64 bits with a
 * fraction in SQLite, where they are texts here.
 */
const GOLDEN: Readonly<Record<ColumnKind, readonly Golden[]>> = {
  int32: [-2147483648, -1, 0, 1, 2147483647].map(number),
  int64: [
    '-9223372036854775808',
    '9223372036854775807',
    '9007199254740993',
    '-9007199254740993',
    '0',
  ].map(quoted),
  decimal: ['99999999.99', '-99999999.99', '0.01', '-0.01', '12.25'].map(quoted),
  wide_decimal: [
    '9999999999999999999999999999.9999999999',
    '-9999999999999999999999999999.9999999999',
    '0.0000000001',
    '0.0000000000',
    '12.5000000000',
  ].map(quoted),
  float64: [
    0.1,
    0.1 + 0.2,
    1 / 3,
    0,
    1,
    -1.5,
    100,
    123456789.125,
    0.0001,
    0.00001234,
    1e-6,
    1.5e-6,
    9.5e-7,
    1e-7,
    5e-324,
    2.2250738585072014e-308,
    2 ** 53,
    2 ** 53 + 2,
    999999999999999,
    1e15,
    123456789012345680,
    1e20,
    123456789012345680000,
    999999999999999900000,
    1e21,
    1.5e21,
    1e22,
    // Not 1e23, of which PostgreSQL's shortest digits are 9.999999999999999e+22: it leaves out what
    // lies half-way between two doubles.
    -1e100,
    1.7976931348623157e308,
  ].map(number),
  boolean: [
    [true, 'true'],
    [false, 'false'],
  ],
  text: [
    '',
    ' ',
    'trailing  ',
    '  leading',
    'Zürich 東京 😀',
    `it's "quoted" \`so\` \\ \\\\ \\n / </script>`,
    String.fromCharCode(...Array.from({ length: 0x1f }, (_, index) => index + 1)),
    '\u007f\u0080\u009f\u00a0\u00ad\u200b\u200e\u2028\u2029\ufeff\ufffd\uffff',
    Array.from({ length: 17 }, (_, plane) => String.fromCodePoint(plane * 0x10000 + 0x1234)).join(
      '',
    ),
    '\u{1ffff}\u{20000}\u{e0001}\u{f0000}\u{10ffff}',
    'é e\u0301 ﬁ ß İ ı Σς',
    '\ud7ff\ue000',
    'null',
    '%_[]^-$1 ? :name @x %s {}',
    'x'.repeat(4000),
  ].map(quoted),
  date: [
    '0001-01-01',
    '0099-12-31',
    '1582-10-04',
    '1582-10-15',
    '1900-02-28',
    '2000-02-29',
    '9999-12-31',
  ].map(quoted),
  time: [
    '00:00:00',
    '00:00:00.000001',
    '00:00:00.1',
    '12:34:56.12345',
    '23:59:59',
    '23:59:59.999999',
  ].map(quoted),
  timestamp: [
    '0001-01-01T00:00:00',
    '0001-01-01T00:00:00.000001',
    '1969-12-31T23:59:59.999999',
    '2026-03-29T02:30:00',
    '2026-01-31T10:00:00.5',
    '9999-12-31T23:59:59.999999',
  ].map(quoted),
  timestamp_tz: [
    // Those of MySQL begin a second later.
    ...(FIXTURES.includes(mysql) ? [] : ['1970-01-01T00:00:00.000001Z']),
    '1970-01-01T00:00:01Z',
    '1970-01-01T00:00:01.000001Z',
    '2026-03-29T01:00:00Z',
    '2026-01-31T10:00:00.5Z',
    '2038-01-19T03:14:07.999999Z',
  ].map(quoted),
  prose: ['', ' ', 'trailing  ', 'Zürich 東京 😀', `it's "quoted" \\`].map(quoted),
  bytes: [
    new Uint8Array(),
    Uint8Array.of(0),
    Uint8Array.of(0xff, 0xfe),
    Uint8Array.of(0x27, 0x22, 0x5c),
    LARGE,
  ].map((bytes): Golden => [bytes, JSON.stringify(Buffer.from(bytes).toString('base64'))]),
  json: [
    ...[
      'null',
      'true',
      '0',
      '-1.50',
      '1e5',
      '12345678901234567890.123456789',
      '""',
      '[]',
      '{}',
      '[[[]]]',
      OPEN,
    ].map(same),
    ['  { "a" : [ 1 , 2.50 ] , "b c" : " x  y " }\n', '{"a":[1,2.50],"b c":" x  y "}'],
    ['{"b":1,"a":2,"b":3}', '{"b":1,"a":2,"b":3}'],
    same(`[${'1,'.repeat(20_000)}1]`),
  ],
  uuid: [
    '00000000-0000-0000-0000-000000000000',
    '7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ].map(quoted),
  enum: ['happy', 'ok', 'sad'].map(quoted),
};

const KINDS = Object.keys(GOLDEN) as ColumnKind[];

/** A table for each type, whose last row is NULL. */
const TABLES = KINDS.map((kind): Table => ({
  name: `golden_${kind}`,
  columns: { value: kind },
  rows: [...GOLDEN[kind].map(([stored]) => [stored]), [null]],
}));

/** Every type side by side. */
const WIDE: Table = {
  name: 'side_by_side',
  columns: Object.fromEntries(KINDS.map((kind) => [kind, kind] as const)),
  rows: [KINDS.map((kind) => GOLDEN[kind][1]?.[0] ?? null), KINDS.map(() => null)],
};

describe('on every database', () => {
  const everywhere = useTables([...TABLES, WIDE], FIXTURES);

  it.each(KINDS)('a value of type %s travels as the same text', async (kind) => {
    const { text, total } = await everywhere.ask({
      model: `golden_${kind}`,
      attributes: ['value'],
    });
    const expected = [...GOLDEN[kind].map(([, json]) => json), 'null'];
    // Compared one by one: a message with a million bytes helps nobody.
    const records = expected.map((json) => `{"value":${json}}`);
    expect(
      records.filter((record) => !text.includes(record)).map((record) => record.slice(0, 200)),
    ).toEqual([]);
    expect(text === `[${records.join(',')}]`).toBe(true);
    expect(total).toBe(String(expected.length));
  });

  it('a record of all types travels as the same text, in whichever order they are asked for', async () => {
    for (const attributes of [KINDS, KINDS.toReversed()]) {
      const { text } = await everywhere.ask({ model: WIDE.name, attributes });
      const values = attributes.map(
        (kind) => `${JSON.stringify(kind)}:${GOLDEN[kind][1]?.[1] ?? ''}`,
      );
      const nulls = attributes.map((kind) => `${JSON.stringify(kind)}:null`);
      expect(text).toBe(`[{${values.join(',')}},{${nulls.join(',')}}]`);
    }
  });

  it.each(KINDS.filter((kind) => !['json', 'wide_decimal'].includes(kind)))(
    'what travelled of type %s finds its own row when it comes back in a filter',
    async (kind) => {
      const { text } = await everywhere.ask({
        model: `golden_${kind}`,
        attributes: ['id', 'value'],
      });
      for (const { id, value } of JSON.parse(text) as { id: number; value: unknown }[]) {
        if (value === null) continue;
        const filters = [
          { op: 'eq', value },
          { op: 'in', value: [value] },
        ];
        for (const filter of eachNth(2, filters, id))
          expect(await everywhere.ids(`golden_${kind}`, { attribute: 'value', ...filter })).toEqual(
            [id],
          );
      }
    },
  );
});
