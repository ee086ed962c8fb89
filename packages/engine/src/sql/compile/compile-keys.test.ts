import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';

import {
  anyPlanOf,
  catalogueOf,
  columnOf,
  NOTES,
  planOf,
  tableOf,
} from '../../../test/unit/models.ts';
import { EVERYTHING } from '../../catalogue/grant.ts';
import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import { compileKeys } from './compile-keys.ts';
import type { Dialect, KeyDialect } from '../dialect.ts';
import {
  type Key,
  type KeyRange,
  orderWithin,
  rangeFrom,
  rangesAfter,
  rangesOfAll,
} from '../clauses/seek.ts';

const EVERY_ROW: KeyRange = { nulls: [], next: 'anything' };
const WORD_UP = [{ attribute: 'word' }];

/** What the rows of a range meet, in the order of a sort. */
function conditionOf(query_sort: readonly object[], range: KeyRange): string | undefined {
  const plan = planOf(query_sort.length > 0 ? { query_sort } : {});
  const text = compileKeys(plan, plainDialect, { range, step: 100 })?.rows.sql ?? '';
  return /(?: where (.*))? order by /.exec(text)?.[1];
}

/** What the rows after a key meet, range by range. */
function conditionsAfter(query_sort: readonly object[], key: readonly unknown[]) {
  const { order } = planOf(query_sort.length > 0 ? { query_sort } : {});
  return rangesAfter(order, key).map((range) => conditionOf(query_sort, range));
}

describe('the keys of a chunk', () => {
  it('are selected from its rows with their places', () => {
    const query_filter = { attribute: 'rank', op: 'gt', value: 1 };
    const plan = planOf({ query_filter, query_sort: WORD_UP });
    const compiled = compileKeys(plan, plainDialect, { range: EVERY_ROW, step: 100 });
    const rows =
      'select "t"."word" as "k0", "t"."id" as "k1" from "notes" as "t" where ("t"."rank" > ?)' +
      ' order by "t"."word" asc nulls last, "t"."id" asc nulls last limit ?';
    const parameters = [1n, { placeholder: 'limit' }];
    expect(compiled?.rows).toEqual({ sql: rows, parameters, relations: [['notes']] });
    expect(compiled?.keys.sql).toBe(
      'key("k0"), key("k1") by "k0" asc nulls last, "k1" asc nulls last' +
        ` of each 100 from ? in (${rows})`,
    );
    expect(compiled?.keys.parameters).toEqual([
      { placeholder: 'offset' },
      1n,
      { placeholder: 'limit' },
    ]);
  });

  it('do not exist where a value of the order may be no part of one', () => {
    const keys = plainDialect.keys && {
      ...plainDialect.keys,
      isPossible: ({ column }: { readonly column: string }) => column === 'id',
    };
    const dialect = { ...plainDialect, ...(keys && { keys }) };
    const selection = { range: EVERY_ROW, step: 100 };
    expect(compileKeys(planOf(), dialect, selection)).toBeDefined();
    const byWord = planOf({ query_sort: WORD_UP });
    expect(compileKeys(byWord, dialect, selection)).toBeUndefined();
  });

  it('take the bytes of all their columns, where the dialect knows them', () => {
    const range = EVERY_ROW;
    const plan = planOf({ query_sort: WORD_UP });
    expect(compileKeys(plan, plainDialect, { range, step: 1 })).toMatchObject({ keyBytes: 0 });
    const keys = { ...plainDialect.keys, bytesOf: ({ name }) => name.length } as KeyDialect;
    const dialect = { ...plainDialect, keys };
    expect(compileKeys(plan, dialect, { range, step: 1 })).toMatchObject({ keyBytes: 6 });
  });

  it('have what a list of one part is ordered by, be it NULL', () => {
    const plan = planOf({ query_sort: WORD_UP });
    const range = { nulls: [], next: 'null' } as const;
    const { rows } = compileKeys(plan, plainDialect, { range, step: 1 }) ?? {};
    expect(rows?.sql).toContain('select "t"."word" as "k0"');
  });

  it('from a key on begin with the record that has it', () => {
    expect(conditionOf([], rangeFrom([7]))).toBe('("t"."id") >= (as_id(?))');
  });

  it('from a key on stay among those that have NULL first as it has, or have none', () => {
    expect(conditionFrom('last', ['a', 7])).not.toContain('is null');
    expect(conditionFrom('last', [null, 7])).toMatch(
      /^"t"\."word" is null and \("t"\."word" is null and/,
    );
    expect(conditionFrom('first', ['a', 7])).not.toContain('is null');
    expect(conditionFrom('first', [null, 7])).toMatch(/^"t"\."word" is null and /);
  });
});

/** The condition of the rows from a key on, in an order by `word`. */
function conditionFrom(nulls: 'first' | 'last', key: Key): string | undefined {
  return conditionOf([{ attribute: 'word', nulls }], rangeFrom(key));
}

describe('the rows after a key', () => {
  it('are first those with the same value of the first column, then those with a later one', () => {
    expect(conditionsAfter([{ attribute: 'rank', direction: 'desc' }], [3, 7])).toEqual([
      '"t"."rank" = as_rank(?) and "t"."id" > as_id(?)',
      '"t"."rank" < as_rank(?)',
    ]);
  });

  it('are last those with NULL, where NULL comes last', () => {
    expect(conditionsAfter(WORD_UP, ['a', 7])).toEqual([
      '"t"."word" = as_word(?) and "t"."id" > as_id(?)',
      '"t"."word" > as_word(?)',
      '"t"."word" is null',
    ]);
    expect(conditionsAfter(WORD_UP, [null, 7])).toEqual([
      '"t"."word" is null and "t"."id" > as_id(?)',
    ]);
  });

  it('are those with a value behind those with NULL, where NULL comes first', () => {
    const sort = [{ attribute: 'word', nulls: 'first' }];
    expect(conditionsAfter(sort, [null, 7])).toEqual([
      '"t"."word" is null and "t"."id" > as_id(?)',
      '"t"."word" is not null',
    ]);
    expect(conditionsAfter(sort, ['a', 7])).toEqual([
      '"t"."word" = as_word(?) and "t"."id" > as_id(?)',
      '"t"."word" > as_word(?)',
    ]);
  });
});

describe('the rows of a list, where an index does not bring NULL where an order says', () => {
  const keys = { ...plainDialect.keys, ordersNull: false } as KeyDialect;
  const dialect = { ...plainDialect, keys };

  /** The conditions and orders of ranges. */
  function rowsOf(query_sort: readonly object[], ranges: readonly KeyRange[]) {
    const plan = planOf({ query_sort });
    return ranges.map((range) => {
      const text = compileKeys(plan, dialect, { range, step: 1 })?.rows.sql ?? '';
      return / where (.*) limit /.exec(text)?.[1];
    });
  }

  it.each([
    { nulls: 'last', ranges: ['not_null', 'null'] },
    { nulls: 'first', ranges: ['null', 'not_null'] },
  ])('are read apart with NULL $nulls', ({ nulls, ranges }) => {
    const { order } = planOf({ query_sort: [{ attribute: 'word', nulls }] });
    expect(rangesOfAll(order, keys).map(({ next }) => next)).toEqual(ranges);
    expect(rangesOfAll(order, { ordersNull: true })).toEqual([EVERY_ROW]);
  });

  it('are read at once where the first column is never NULL', () => {
    expect(rangesOfAll(planOf().order, keys)).toEqual([EVERY_ROW]);
    for (const some of [keys, { ordersNull: true }])
      expect(rangesOfAll([], some)).toEqual([EVERY_ROW]);
  });

  it('are read apart where they lead nowhere, whatever an index brings', () => {
    const order = planOf({ query_sort: WORD_UP }).order.map((term) => ({ ...term, join: 0 }));
    expect(rangesOfAll(order, { ordersNull: true }).map(({ next }) => next)).toEqual([
      'not_null',
      'null',
    ]);
  });

  it('are in the whole order where any value of any column may come', () => {
    const { order } = planOf({ query_sort: WORD_UP });
    expect(orderWithin(EVERY_ROW, order)).toEqual(order);
    expect(orderWithin(rangeFrom([null, 7]), order)).toEqual(order);
    expect(orderWithin({ nulls: [], next: 'later' }, order)).toMatchObject([
      { column: 'word', nullable: false },
      { column: 'id', nullable: false },
    ]);
    const both = planOf({ query_sort: [...WORD_UP, { attribute: 'size' }] }).order;
    expect(orderWithin({ nulls: [], next: 'later' }, both)).toMatchObject([
      { column: 'word', nullable: false },
      { column: 'size', nullable: true },
      {},
    ]);
  });

  it('are ordered by what they may differ in, without a word of NULL where there is none', () => {
    const bare: Dialect = {
      ...dialect,
      orderTerm: (column, { nullable }) => sql`${column}${sql.raw(nullable ? ' or null' : '')}`,
    };
    const plan = planOf({ query_sort: [{ attribute: 'rank' }, ...WORD_UP] });
    const orders = rangesAfter(plan.order, [1, null, 7]).map((range) => {
      const text = compileKeys(plan, bare, { range, step: 1 })?.rows.sql ?? '';
      return / order by (.*) limit /.exec(text)?.[1];
    });
    expect(orders).toEqual(['"t"."rank", "t"."id"', '"t"."rank", "t"."word" or null, "t"."id"']);
    expect(rowsOf(WORD_UP, rangesOfAll(plan.order.slice(1), keys))).toEqual([
      '"t"."word" is not null order by "t"."word" asc nulls last, "t"."id" asc nulls last',
      '"t"."word" is null order by "t"."id" asc nulls last',
    ]);
  });

  it('join what the whole order names, though every value of it be NULL', () => {
    const columns = [columnOf('id', 'int64', false), columnOf('note', 'int64')];
    const foreignKeys = [{ columns: ['note'], relation: ['notes'], key: ['id'] }];
    const orders = tableOf('orders', columns, { foreignKeys });
    const members = {
      query_model: 'orders',
      query_attributes: ['id'],
      query_sort: [{ attribute: 'note.word' }],
    };
    const catalogue = catalogueOf({ ...NOTES, uniqueKeys: NOTES.keys }, orders);
    const plan = anyPlanOf(members, EVERYTHING, catalogue);
    const range = { nulls: [], next: 'null' } as const;
    expect(compileKeys(plan, dialect, { range, step: 1 })?.rows.sql).toContain(
      'select "j0"."word" as "k0", "t"."id" as "k1" from "orders" as "t" left join "notes" as "j0"',
    );
  });
});
