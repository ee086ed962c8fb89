import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { queryOf } from '../../../test/page-questions.ts';
import type { OrderTerm } from '../../catalogue/model.ts';
import { type Key, type KeyRange, rangesAfter, rangesOfAll } from '../../sql/clauses/seek.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import type { KeysStatement } from '../../sql/query-statements.ts';
import { keysStatement, MOST_ROWS, walkKeys, WalkPace } from './key-walk.ts';

type Value = number | null;

const term = fc.record({
  direction: fc.constantFrom('asc' as const, 'desc' as const),
  nulls: fc.constantFrom('first' as const, 'last' as const),
});

/** Orders of up to three columns with few values and NULLs, and a unique one behind them. */
const lists = fc.tuple(fc.array(term, { maxLength: 3 }), term).chain(([terms, last]) =>
  fc.record({
    order: fc.constant<OrderTerm[]>([
      ...terms.map((each, index) => ({ ...each, column: `c${index}`, nullable: true })),
      { ...last, column: 'id', nullable: false },
    ]),
    values: fc.array(
      fc.tuple(...terms.map(() => fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }))),
      { maxLength: 60 },
    ),
  }),
);

function compare(order: readonly OrderTerm[], a: readonly Value[], b: readonly Value[]): number {
  for (const [index, { direction, nulls }] of order.entries()) {
    const [x, y] = [a[index] ?? null, b[index] ?? null];
    if (x === y) continue;
    if (x === null || y === null) return (x === null) === (nulls === 'first') ? -1 : 1;
    return direction === 'asc' ? x - y : y - x;
  }
  return 0;
}

/** Whether a record is in a range that begins after a key, as the database would decide. */
function isIn(range: KeyRange, order: readonly OrderTerm[], record: Key, key: Key): boolean {
  const depth = range.nulls.length;
  if (range.nulls.some((isNull, index) => isNull !== (key[index] === null))) return false;
  if (range.nulls.some((_, index) => record[index] !== key[index])) return false;
  const value = record[depth];
  if (range.next === 'anything') return true;
  if (range.next === 'null') return value === null;
  if (range.next === 'not_null') return value !== null;
  if (value === null || key[depth] === null) return false;
  const difference = Number(value) - Number(key[depth]);
  return order[depth]?.direction === 'asc' ? difference > 0 : difference < 0;
}

/** What a statement selects is all that the test needs of it. */
function keysAreTheirSelection(selection: unknown) {
  return { keys: selection, rows: selection };
}

/** How the records are walked along. */
interface Walking {
  readonly step: number;
  readonly chunkRows: () => number;
  /** Whether those with NULL are read with the others. */
  readonly ordersNull?: boolean;
}

/** A walk along records that are in order. */
function walkAlong(
  records: readonly Key[],
  order: readonly OrderTerm[],
  { step, chunkRows, ordersNull = true }: Walking,
) {
  const statements = { relations: [['list']], lock: undefined };
  const keyRanges = (after?: Key) =>
    after === undefined ? rangesOfAll(order, { ordersNull }) : rangesAfter(order, after);
  const query = { statements, keyRanges, keys: keysAreTheirSelection };
  const read = async ({
    keys: { range },
    bindings,
  }: KeysStatement & { keys: { range?: KeyRange } }) => {
    if (range === undefined) throw new Error('A statement is of a range.');
    const found = records
      .filter((record) => isIn(range, order, record, bindings.key))
      .slice(0, bindings.size);
    const isWanted = (place: number) =>
      place % step === Number(bindings.offset) || place === found.length - 1;
    const rows = found.map((record, place) => [...record, place]);
    return { rows: rows.filter((_, place) => isWanted(place)), version: '1' };
  };
  return walkKeys({
    query: query as unknown as PreparedQuery,
    step,
    chunkRows,
    maySort: false,
    read,
  });
}

describe('a walk along a list', () => {
  it('finds every so-many-th key in whatever order, however long its chunks are', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 });
    const steps = fc.record({ step: fc.integer({ min: 1, max: 15 }), ordersNull: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(lists, sizes, steps, async ({ order, values }, [...chunkSizes], how) => {
        const records = values
          .map((columns, id) => [...columns, id])
          .toSorted((a, b) => compare(order, a, b));
        let chunk = 0;
        const chunkRows = (): number => chunkSizes[chunk++ % chunkSizes.length] ?? 1;
        const keys: Key[] = [];
        let rows = 0;
        for await (const found of walkAlong(records, order, { ...how, chunkRows })) {
          keys.push(...found.keys);
          rows += found.rows;
          expect(found.last).toEqual(found.rows === 0 ? undefined : records[rows - 1]);
        }
        expect(keys).toEqual(records.filter((_, place) => place % how.step === 0));
        expect(rows).toBe(records.length);
      }),
    );
  });

  it('reads nothing before the next chunk is asked for', async () => {
    const order: OrderTerm[] = [{ column: 'id', direction: 'asc', nulls: 'last', nullable: false }];
    let asked = 0;
    const chunkRows = (): number => {
      asked += 1;
      return 2;
    };
    const walk = walkAlong([[1], [2], [3]], order, { step: 1, chunkRows });
    expect(asked).toBe(0);
    expect((await walk.next()).value).toEqual({
      keys: [[1], [2]],
      rows: 2,
      last: [2],
      version: '1',
    });
    expect(asked).toBe(1);
    expect((await walk.next()).value).toMatchObject({ keys: [[3]], rows: 1 });
    expect((await walk.next()).done).toBe(true);
  });
});

describe('the statement of a chunk', () => {
  it.each([
    { nulls: [], walkMaySort: false, maySort: false },
    { nulls: [], walkMaySort: true, maySort: true },
    { nulls: [false], walkMaySort: false, maySort: true },
  ])('may sort $maySort with the first values $nulls', ({ nulls, walkMaySort, maySort }) => {
    const walk = { query: queryOf(), step: 1, maySort: walkMaySort };
    const bindings = { key: [], size: 1, offset: 0n };
    expect(keysStatement(walk, { nulls, next: 'later' }, bindings)).toMatchObject({ maySort });
  });
});

/** The rows of the chunks of a walk, each of which takes as long as `msOf` says. */
function rowsOf(chunks: number, msOf: (rows: number) => number): number[] {
  const pace = new WalkPace();
  return Array.from({ length: chunks }, () => {
    const { rows } = pace;
    pace.note(msOf(rows));
    return rows;
  });
}

describe('the chunks of a walk', () => {
  it('grow to 10,000 rows where they take little time', () => {
    expect(rowsOf(6, () => 1)).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
    expect(MOST_ROWS).toBe(10_000);
  });

  it('come to about 25 milliseconds each', () => {
    const rows = rowsOf(30, (count) => count / 100).at(-1) ?? 0;
    expect(rows).toBeGreaterThan(2000);
    expect(rows).toBeLessThan(4000);
  });

  it('are not smaller because the database is far away', () => {
    expect(rowsOf(10, () => 200).at(-1)).toBe(10_000);
  });

  it('have a hundred rows at least', () => {
    expect(rowsOf(20, (count) => count * 100).at(-1)).toBeGreaterThanOrEqual(100);
    const pace = new WalkPace();
    for (const ms of [1, 10_000, 10_000, 10_000]) pace.note(ms);
    expect(pace.rows).toBe(100);
  });
});
