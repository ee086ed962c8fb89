import { DatabaseSync } from 'node:sqlite';

import * as fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';

import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import { compile } from '../../sql/compile/compile.ts';
import { binOf } from './facet-sql.ts';

const database = new DatabaseSync(':memory:');

/** The bin of a value as a database finds it. */
function foundBin(value: number | null, bounds: readonly number[]): unknown {
  const placed = bounds.map((bound) => sql`${bound}`);
  const bin = sql`select ${binOf(sql.id('x'), placed)} as "bin" from (select ${value} as "x")`;
  const { sql: text, parameters } = compile(bin, plainDialect);
  return database.prepare(text).get(...(parameters as (number | null)[]))?.['bin'];
}

/** The bins that begin at a value or before it, unless it is in none. */
function binBegun(value: number, bounds: readonly number[]): number {
  const isWithin = value >= Math.min(...bounds) && value <= Math.max(...bounds);
  return isWithin ? bounds.slice(0, -1).filter((bound) => bound <= value).length : 0;
}

it('a value is in the last bin that begins at it or before, and in none outside of all', () => {
  const number = fc.integer({ min: -12, max: 12 });
  const bounds = fc.array(number, { minLength: 2, maxLength: 12 });
  fc.assert(
    fc.property(number, bounds, (value, unsorted) => {
      const sorted = unsorted.toSorted((a, b) => a - b);
      expect(foundBin(value, sorted)).toBe(binBegun(value, sorted));
    }),
    { numRuns: 300 },
  );
});

it('a value is in the last bin alone where bins end where they begin', () => {
  expect([6, 7, 8].map((value) => foundBin(value, [7, 7, 7, 7]))).toEqual([0, 3, 0]);
  expect([6, 7, 8].map((value) => foundBin(value, [7, 7, 7, 8]))).toEqual([0, 3, 3]);
});

it.each([2, 3, 6])('NULL has no bin among %i bounds', (length) => {
  const bounds = Array.from({ length }, (_, index) => index);
  expect(foundBin(null, bounds)).toBeNull();
});

it('a value is compared with no more bounds than halve the bins down to its own', () => {
  let compared = 0;
  const probe = new DatabaseSync(':memory:');
  probe.function('bound', { deterministic: false }, (value) => {
    compared += 1;
    return value;
  });
  const bounds = Array.from({ length: 21 }, (_, index) => sql`bound(${sql.lit(index)})`);
  const { sql: text } = compile(sql`select ${binOf(sql.lit(7.5), bounds)} as "bin"`, plainDialect);
  expect(probe.prepare(text).get()).toEqual({ bin: 8 });
  // 10, 5, 8 and 7.
  expect(compared).toBe(4);
});
