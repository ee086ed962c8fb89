import { DatabaseSync } from 'node:sqlite';

import { STORED_AS, type StoredAs } from '@proj/engine/database';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';

import { comparedForm, type SqlValue } from './date-form.ts';
import { comparedDate } from './dates.ts';
import { sqliteDialect } from '../dialect.ts';
import { defineFunctions } from './functions.ts';

/** A moment, from which texts are printed: what is read back has to be the same one. */
interface Moment {
  /** Since 1970, in UTC. */
  readonly seconds: number;
  readonly fraction: string;
}

const FIRST = Date.parse('0000-01-01T00:00:00Z') / 1000;
const LAST = Date.parse('9999-12-31T23:59:59Z') / 1000;

const moments: fc.Arbitrary<Moment> = fc.record({
  seconds: fc.oneof(
    fc.integer({ min: FIRST + 86_400, max: LAST - 86_400 }),
    fc.integer({ min: -100_000, max: 100_000 }),
  ),
  fraction: fc.stringMatching(/^\d{0,12}$/),
});

const formats = fc.record({
  separator: fc.constantFrom(' ', 'T'),
  offset: fc.option(fc.integer({ min: -14 * 60 + 1, max: 14 * 60 - 1 }), { nil: undefined }),
  zulu: fc.boolean(),
  gap: fc.constantFrom('', ' '),
});

function print(
  { seconds, fraction }: Moment,
  { separator, offset, zulu, gap }: typeof formats extends fc.Arbitrary<infer F> ? F : never,
): string {
  const local = iso(seconds + (offset ?? 0) * 60).replace('T', separator);
  const [hours, minutes] = [Math.floor(Math.abs(offset ?? 0) / 60), Math.abs(offset ?? 0) % 60].map(
    (part) => String(part).padStart(2, '0'),
  );
  const zone =
    offset === undefined ? (zulu ? 'Z' : '') : `${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
  return `${local}${fraction && `.${fraction}`}${zone && gap}${zone}`;
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19);
}

function expected({ seconds, fraction }: Moment): string {
  const digits = fraction.replace(/0+$/, '');
  return `${iso(seconds)}${digits && `.${digits}`}`;
}

function picoseconds({ seconds, fraction }: Moment): bigint {
  return BigInt(seconds) * 10n ** 12n + BigInt(fraction.padEnd(12, '0'));
}

describe('the form in which dates of SQLite are compared', () => {
  it('is one for all texts of a moment, whatever their format and zone', () => {
    fc.assert(
      fc.property(moments, formats, (moment, format) => {
        expect(comparedForm(print(moment, format), 'timestamp', 'text')).toBe(expected(moment));
      }),
      { numRuns: 2000 },
    );
  });

  it('is in the order of the moments', () => {
    fc.assert(
      fc.property(moments, moments, formats, (one, other, format) => {
        const [a, b] = [one, other].map((moment) =>
          comparedForm(print(moment, format), 'timestamp', 'text'),
        ) as [string, string];
        expect(Math.sign(Number(a > b) - Number(a < b))).toBe(
          Math.sign(Number(picoseconds(one) - picoseconds(other))),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('is that of whole seconds and milliseconds since 1970', () => {
    fc.assert(
      fc.property(moments, (moment) => {
        const milliseconds =
          BigInt(moment.seconds) * 1000n + BigInt(moment.fraction.slice(0, 3).padEnd(3, '0'));
        expect(comparedForm(BigInt(moment.seconds), 'timestamp', 'unix_seconds')).toBe(
          iso(moment.seconds),
        );
        expect(comparedForm(milliseconds, 'timestamp', 'unix_milliseconds')).toBe(
          expected({ ...moment, fraction: moment.fraction.slice(0, 3) }),
        );
      }),
    );
  });

  it.each<[SqlValue & {}, StoredAs, string]>([
    ['2021-01-01', 'text', '2021-01-01T00:00:00'],
    ['2021-01-01 10:30', 'text', '2021-01-01T10:30:00'],
    ['2021-01-01 10:30Z', 'text', '2021-01-01T10:30:00'],
    ['2021-01-01 00:00:00.000 +00:00', 'text', '2021-01-01T00:00:00'],
    ['2020-02-29T23:59:59.1234567890', 'text', '2020-02-29T23:59:59.123456789'],
    ['0000-01-01', 'text', '0000-01-01T00:00:00'],
    ['0000-01-01T00:00:00+01:00', 'text', '~0000-01-01T00:00:00+01:00'],
    ['2021-02-29', 'text', '~2021-02-29'],
    ['2021-1-1', 'text', '~2021-1-1'],
    ['2021-01-01 24:00:00', 'text', '~2021-01-01 24:00:00'],
    ['2021-01-01 10', 'text', '~2021-01-01 10'],
    ['2021-01-01 10:30.5', 'text', '~2021-01-01 10:30.5'],
    ['2021-01-01Z', 'text', '~2021-01-01Z'],
    ['-0001-01-01 00:00:00', 'text', '~-0001-01-01 00:00:00'],
    ['12:00', 'text', '~12:00'],
    ['now', 'text', '~now'],
    ['', 'text', '~'],
    ['1700000000', 'unix_seconds', '~1700000000'],
    [1_700_000_000n, 'text', '~1700000000'],
    [1_700_000_000n, 'unix_seconds', '2023-11-14T22:13:20'],
    [1_700_000_000.25, 'unix_seconds', '2023-11-14T22:13:20.25'],
    [-0.5, 'unix_seconds', '1969-12-31T23:59:59.5'],
    [-1n, 'unix_milliseconds', '1969-12-31T23:59:59.999'],
    [1.5, 'unix_milliseconds', '1970-01-01T00:00:00.0015'],
    [2_440_587.5, 'julian_day', '1970-01-01T00:00:00'],
    [2_460_000n, 'julian_day', '2023-02-24T12:00:00'],
    [9_223_372_036_854_775_807n, 'unix_seconds', '~9223372036854775807'],
    [253_402_300_800n, 'unix_seconds', '~253402300800'],
    [-62_167_219_201n, 'unix_seconds', '~-62167219201'],
    [2 ** 64, 'unix_milliseconds', '~18446744073709551616'],
    [1e14, 'julian_day', '~100000000000000'],
    [Number.POSITIVE_INFINITY, 'julian_day', '~Infinity'],
    [Uint8Array.of(0, 255), 'unix_seconds', '~AP8='],
  ])('of %s as %s is %s', (value, storedAs, form) => {
    expect(comparedForm(value, 'timestamp', storedAs)).toBe(form);
  });

  it.each<[SqlValue & {}, StoredAs, string]>([
    ['2021-01-01', 'text', '2021-01-01'],
    ['2021-01-01 00:00:00.000', 'text', '2021-01-01'],
    ['2021-01-01T01:00:00+01:00', 'text', '2021-01-01'],
    ['2021-01-01 00:00:01', 'text', '~2021-01-01 00:00:01'],
    [86_400n, 'unix_seconds', '1970-01-02'],
    [86_401n, 'unix_seconds', '~86401'],
    [2_440_588.5, 'julian_day', '1970-01-02'],
  ])('of the day %s as %s is %s', (value, storedAs, form) => {
    expect(comparedForm(value, 'date', storedAs)).toBe(form);
  });
});

describe('the form that SQLite computes', () => {
  const database = new DatabaseSync(':memory:');
  defineFunctions(database);
  database.exec('create table stored (v datetime)');

  const values = fc.oneof(
    {
      arbitrary: fc.tuple(moments, formats).map(([moment, format]) => print(moment, format)),
      weight: 3,
    },
    { arbitrary: moments.map(({ seconds }) => iso(seconds).replace('T', ' ')), weight: 2 },
    { arbitrary: moments.map(({ seconds }) => iso(seconds)), weight: 2 },
    // What is a date as a text is none as bytes.
    moments.map(({ seconds }) => Buffer.from(iso(seconds).replace('T', ' '))),
    { arbitrary: moments.map(({ seconds }) => iso(seconds).slice(0, 10)), weight: 2 },
    fc.stringMatching(/^-?\d{4}-[01]\d-[0-3]\d([ T][0-2]\d:[0-6]\d:[0-6]\d)?$/),
    fc.string({ unit: 'binary-ascii', maxLength: 5 }),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.integer({ min: 0, max: 5_373_484 }).map(BigInt),
    fc.double({ noNaN: true }),
    fc.uint8Array({ maxLength: 4 }),
  );

  it.each(
    STORED_AS.flatMap((storedAs) =>
      (['date', 'timestamp'] as const).map((type) => [type, storedAs] as const),
    ),
  )('of a %s stored as %s is the same as in JavaScript', (type, storedAs) => {
    const form = comparedDate(sql.id('v'), { type, storedAs }).compile(sqliteDialect.kysely).sql;
    const statement = database.prepare(`select v, ${form} as form from stored`);
    statement.setReadBigInts(true);
    fc.assert(
      fc.property(values, (value) => {
        database.exec('delete from stored');
        database.prepare('insert into stored values (?)').run(value);
        const row = statement.get() as { v: Exclude<SqlValue, null>; form: string };
        expect(row.form).toBe(comparedForm(row.v, type, storedAs));
      }),
      { numRuns: 400 },
    );
  });

  it('of NULL is NULL', () => {
    const form = comparedDate(sql`null`, { type: 'timestamp', storedAs: 'text' }).compile(
      sqliteDialect.kysely,
    ).sql;
    expect(database.prepare(`select ${form} as form`).get()).toEqual({ form: null });
  });
});
