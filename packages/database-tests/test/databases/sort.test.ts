import { describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { useTables } from './everywhere.ts';
import {
  ASCENDING_KINDS,
  fullColumn,
  fullRank,
  kindColumn,
  rankOf,
  ROWS,
  VALUES,
} from './values.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const DIRECTIONS = ['asc', 'desc'] as const;
const PLACES = ['first', 'last', undefined] as const;

interface Term {
  readonly attribute: string;
  readonly direction: (typeof DIRECTIONS)[number];
  readonly nulls?: 'first' | 'last';
}

/** Puts two ranks in order, as a term says. */
function compare(
  a: number | null,
  b: number | null,
  { direction, nulls }: Omit<Term, 'attribute'>,
): number {
  // NULL counts as the largest value.
  const place = nulls ?? (direction === 'asc' ? 'last' : 'first');
  if (a === null || b === null)
    return (Number(a === null) - Number(b === null)) * (place === 'last' ? 1 : -1);
  return (a - b) * (direction === 'asc' ? 1 : -1);
}

/** The ids of all rows in the order of some comparisons, and then of the key. */
function sorted(...comparisons: readonly ((a: number, b: number) => number)[]): number[] {
  const order = (a: number, b: number): number =>
    comparisons.reduce((found, comparison) => found || comparison(a, b), 0) || a - b;
  return ROWS.toSorted(order).map((row) => row + 1);
}

const ORDERS = DIRECTIONS.flatMap((direction) =>
  PLACES.map((nulls) => ({ direction, ...(nulls && { nulls }) })),
);
const CASES = ASCENDING_KINDS.flatMap((kind) => ORDERS.map((order) => [kind, order] as const));

describe('on every database', () => {
  const everywhere = useTables([VALUES], FIXTURES);

  it.each(CASES)('a sort by %s puts values and NULL in the same order: %j', async (kind, order) => {
    const all = { attribute: 'id', op: 'gt', value: 0 };
    const nullable = await everywhere.ids(VALUES.name, all, [
      { attribute: kindColumn(kind), ...order },
    ]);
    expect(nullable).toEqual(sorted((a, b) => compare(rankOf(kind, a), rankOf(kind, b), order)));
    const full = await everywhere.ids(VALUES.name, all, [
      { attribute: fullColumn(kind), ...order },
    ]);
    expect(full).toEqual(sorted((a, b) => compare(fullRank(kind, a), fullRank(kind, b), order)));
  });

  it.each(ORDERS.flatMap((first) => ORDERS.map((second) => [first, second] as const)))(
    'a sort by several attributes decides ties one after the other: %j, %j',
    async (first, second) => {
      const sort = [
        { attribute: kindColumn('boolean'), ...first },
        { attribute: kindColumn('enum'), ...second },
        { attribute: fullColumn('enum'), direction: 'desc' },
      ];
      const expected = sorted(
        (a, b) => compare(rankOf('boolean', a), rankOf('boolean', b), first),
        (a, b) => compare(rankOf('enum', a), rankOf('enum', b), second),
        (a, b) => compare(fullRank('enum', a), fullRank('enum', b), { direction: 'desc' }),
      );
      expect(await everywhere.ids(VALUES.name, undefined, sort)).toEqual(expected);
    },
  );

  it.each([1, 2, 3, 5, 7])(
    'pages of size %i of a sorted table full of ties are its parts',
    async (size) => {
      const sort = [{ attribute: kindColumn('boolean'), direction: 'desc' }];
      const whole = await everywhere.ids(VALUES.name, undefined, sort);
      const pages: number[] = [];
      for (let page = 1; page <= Math.ceil(ROWS.length / size) + 1; page++) {
        const { ids, total } = await everywhere.ask({ model: VALUES.name, sort, page, size });
        expect(total).toBe(String(ROWS.length));
        pages.push(...ids);
      }
      expect(pages).toEqual(whole);
    },
  );

  it.each(['asc', 'desc'])('the key itself can be the sort: %s', async (direction) => {
    const ids = ROWS.map((row) => row + 1);
    const expected = direction === 'asc' ? ids : ids.toReversed();
    expect(await everywhere.ids(VALUES.name, undefined, [{ attribute: 'id', direction }])).toEqual(
      expected,
    );
  });
});
