import { describe, expect, it } from 'vitest';

import { planOf } from '../../test/unit/models.ts';
import { plainDialect } from '../../test/unit/plain-dialect.ts';
import { compileKeys } from './compile-keys.ts';
import { EVERY_ROW, type KeyRange, rangesAfter } from './key-ranges.ts';

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
    expect(compiled?.rows).toEqual({ sql: rows, parameters: [1n, { placeholder: 'limit' }] });
    expect(compiled?.keys.sql.replaceAll(/\s+/g, ' ')).toBe(
      'key("k0"), key("k1") of each 100 from ? in (select *, row_number() over () - 1 as "n",' +
        ` lead(1) over () is null as "last" from (${rows}) as "r")`,
    );
    expect(compiled?.keys.parameters).toEqual([
      { placeholder: 'offset' },
      1n,
      { placeholder: 'limit' },
    ]);
  });

  it('keep the condition of the list before that of the range', () => {
    const plan = planOf({ query_filter: { attribute: 'rank', op: 'gt', value: 1 } });
    const range = { nulls: [], next: 'later' } as const;
    expect(compileKeys(plan, plainDialect, { range, step: 7 })?.rows).toMatchObject({
      sql: expect.stringContaining(' where ("t"."rank" > ?) and "t"."id" > as_id(?) order by '),
      parameters: [1n, { placeholder: 'key', index: 0 }, { placeholder: 'limit' }],
    });
  });

  it('do not exist where the database has none', () => {
    const { keys: _, ...keyless } = plainDialect;
    expect(compileKeys(planOf(), keyless, { range: EVERY_ROW, step: 1 })).toBeUndefined();
  });
});

describe('the rows after a key', () => {
  it('are those with a later value, in the order of one column', () => {
    expect(conditionOf([], EVERY_ROW)).toBeUndefined();
    expect(conditionsAfter([], [7])).toEqual(['"t"."id" > as_id(?)']);
  });

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
