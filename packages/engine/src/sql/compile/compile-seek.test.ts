import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';

import { planOf } from '../../../test/unit/models.ts';
import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import type { OrderTerm } from '../../catalogue/model.ts';
import { compileSeek } from './compile.ts';
import type { SeekShape } from '../clauses/seek.ts';

const NO_NULLS: SeekShape = { nulls: [], reachesNulls: false };
const RANK_DOWN = [{ attribute: 'rank', direction: 'desc' }];
const WORD_UP = [{ attribute: 'word' }];
const WORD_NULLS_FIRST = [{ attribute: 'word', nulls: 'first' }];

/** What the rows from a key on meet, in the order of a sort. */
function seekOf(query_sort: readonly object[], shape: SeekShape = NO_NULLS): string {
  const plan = planOf(query_sort.length > 0 ? { query_sort } : {});
  const { sql: text } = compileSeek(plan, plainDialect, { shape, maxBytes: 1000 });
  return / where (.*) order by /.exec(text)?.[1] ?? '';
}

/** The same in the order of one nullable column, which no key ends. */
function seekByWord(nulls: OrderTerm['nulls'], shape: SeekShape): string {
  const order: OrderTerm[] = [{ column: 'word', direction: 'asc', nulls, nullable: true }];
  const plan = { ...planOf(), order };
  const { sql: text } = compileSeek(plan, plainDialect, { shape, maxBytes: 1000 });
  return / where (.*) order by /.exec(text)?.[1] ?? '';
}

const comparable = (column: ReturnType<typeof sql.id>) => sql`date_of(${column})`;

describe('rows from a key on, in one direction and without NULL', () => {
  it.each<[readonly object[], string]>([
    [[], '("t"."id") >= (as_id(?))'],
    [[{ attribute: 'rank' }], '("t"."rank", "t"."id") >= (as_rank(?), as_id(?))'],
  ])('sorted by %j are a comparison of rows', (sort, text) => {
    expect(seekOf(sort)).toBe(text);
  });
});

describe('rows from a key on, in two directions', () => {
  it('start from a range of the first column', () => {
    expect(seekOf(RANK_DOWN)).toBe(
      '"t"."rank" <= as_rank(?) and ("t"."rank" < as_rank(?) or ("t"."rank" = as_rank(?) and ("t"."id" >= as_id(?))))',
    );
  });
});

describe('rows from a key on, with NULL last', () => {
  it.each<[string, SeekShape, string]>([
    [
      'a value that no NULL follows',
      NO_NULLS,
      '"t"."word" >= as_word(?) and ("t"."word" > as_word(?) or ("t"."word" = as_word(?) and ("t"."id" >= as_id(?))))',
    ],
    [
      'a value that NULL may follow',
      { nulls: [], reachesNulls: true },
      '("t"."word" > as_word(?) or "t"."word" is null or ("t"."word" = as_word(?) and ("t"."id" >= as_id(?))))',
    ],
    [
      'NULL',
      { nulls: [true], reachesNulls: true },
      '"t"."word" is null and ("t"."word" is null and ("t"."id" >= as_id(?)))',
    ],
  ])('start from %s', (_what, shape, text) => {
    expect(seekOf(WORD_UP, shape)).toBe(text);
  });
});

describe('rows from a key on, with NULL first', () => {
  it.each<[string, SeekShape, string]>([
    [
      'a value',
      { nulls: [], reachesNulls: true },
      '"t"."word" >= as_word(?) and ("t"."word" > as_word(?) or ("t"."word" = as_word(?) and ("t"."id" >= as_id(?))))',
    ],
    [
      'NULL',
      { nulls: [true], reachesNulls: true },
      '("t"."word" is not null or ("t"."word" is null and ("t"."id" >= as_id(?))))',
    ],
  ])('start from %s', (_what, shape, text) => {
    expect(seekOf(WORD_NULLS_FIRST, shape)).toBe(text);
  });
});

describe('rows from a key on, with NULL in a later column', () => {
  const sort = [{ attribute: 'rank' }, { attribute: 'word' }];

  it('reach NULL whatever the first column reaches', () => {
    expect(seekOf(sort)).toBe(
      '"t"."rank" >= as_rank(?) and ("t"."rank" > as_rank(?) or ("t"."rank" = as_rank(?) and ("t"."word" > as_word(?) or "t"."word" is null or ("t"."word" = as_word(?) and ("t"."id" >= as_id(?))))))',
    );
  });
});

describe('rows from a key on, ordered by one nullable column alone', () => {
  it.each<[OrderTerm['nulls'], SeekShape, string]>([
    ['last', NO_NULLS, '"t"."word" >= as_word(?) and ("t"."word" >= as_word(?))'],
    [
      'last',
      { nulls: [], reachesNulls: true },
      '(("t"."word" >= as_word(?) or "t"."word" is null))',
    ],
    ['last', { nulls: [true], reachesNulls: true }, '"t"."word" is null and ("t"."word" is null)'],
    ['first', { nulls: [true], reachesNulls: true }, '(true)'],
  ])('NULL %s, shape %j', (nulls, shape, text) => {
    expect(seekByWord(nulls, shape)).toBe(text);
  });
});

describe('a seek', () => {
  it('compares under the collation of the key, and in the form of the field', () => {
    const plan = planOf();
    const field = { name: 'at', column: 'id', type: 'date', items: undefined } as const;
    const [key] = plan.order;
    if (key === undefined) throw new Error('A list has an order.');
    const order = [
      {
        ...key,
        collation: 'binary',
        field: { ...field, databaseType: '', storedAs: 'text' as const },
      },
    ];
    const { sql: text } = compileSeek(
      { ...plan, order },
      { ...plainDialect, comparable },
      { shape: NO_NULLS, maxBytes: 7 },
    );
    expect(text).toContain('(date_of("t"."id") collate binary) >= (as_at(?))');
    expect(text).toContain('order by date_of("t"."id") asc');
  });

  it('is refused where the database has no keys, or the list no order', () => {
    const { keys: _, ...keyless } = plainDialect;
    const seek = { shape: NO_NULLS, maxBytes: 7 };
    expect(() => compileSeek(planOf(), keyless, seek)).toThrow('The database has no keys.');
    expect(() => compileSeek({ ...planOf(), order: [] }, plainDialect, seek)).toThrow(
      'A list without an order has no keys.',
    );
  });

  it('is refused where the model lacks a column of the order', () => {
    const plan = planOf();
    const order = plan.order.map((term) => ({ ...term, column: 'gone' }));
    expect(() =>
      compileSeek({ ...plan, order }, plainDialect, { shape: NO_NULLS, maxBytes: 7 }),
    ).toThrow('notes is ordered by gone, which it does not have.');
  });
});
