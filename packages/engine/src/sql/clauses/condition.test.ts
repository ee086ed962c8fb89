import type { Filter, WireType } from '@proj/contract';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';

import { planOf } from '../../../test/unit/models.ts';
import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import type { Comparison, Condition, PlannedOperator, Referred } from '../../planning/condition.ts';
import { COUNT } from '../../planning/group-names.ts';
import { compile } from '../compile/compile.ts';
import type { Dialect } from '../dialect.ts';
import { compileCondition, rejectedNulls } from './condition.ts';
import type { Statement } from '../statement.ts';

function compiled(query_filter: unknown, dialect = plainDialect): Statement {
  const { condition } = planOf({ query_filter });
  if (condition === undefined) throw new Error('The plan has no condition.');
  return compile(compileCondition(condition, dialect), dialect);
}

const isNull = (column: ReturnType<typeof sql.id>) => sql`${column} <=> null`;
const leaf = (value: number) => ({ attribute: 'rank', op: 'eq', value });

describe('an operator', () => {
  it.each<[[string, string, unknown], string, unknown[]]>([
    [['rank', 'eq', 1], '("t"."rank" in (?))', [1n]],
    [['rank', 'ne', 1], '(not ("t"."rank" in (?)))', [1n]],
    [['rank', 'lt', 1], '("t"."rank" < ?)', [1n]],
    [['rank', 'lte', 1], '("t"."rank" <= ?)', [1n]],
    [['rank', 'gt', 1], '("t"."rank" > ?)', [1n]],
    [['rank', 'gte', 1], '("t"."rank" >= ?)', [1n]],
    [['rank', 'in', [1, 2]], '("t"."rank" in (?, ?))', [1n, 2n]],
    [['rank', 'not_in', [1, 2]], '(not ("t"."rank" in (?, ?)))', [1n, 2n]],
    [['rank', 'between', [1, 2]], '("t"."rank" >= ? and "t"."rank" <= ?)', [1n, 2n]],
    [['rank', 'is_null', true], '("t"."rank" is null)', []],
    [['rank', 'is_null', false], '("t"."rank" is not null)', []],
    [['rank', 'is_distinct', null], '("t"."rank" is not null)', []],
    [['rank', 'is_distinct', 1], '("t"."rank" is null or not ("t"."rank" in (?)))', [1n]],
    [['word', 'eq', 'a'], '(bytes("t"."word") in (?))', ['a']],
    [['word', 'not_in', ['a', 'b']], '(not (bytes("t"."word") in (?, ?)))', ['a', 'b']],
    [['word', 'lt', 'a'], '("t"."word" < ?)', ['a']],
    [['word', 'is_distinct', 'a'], '("t"."word" is null or not (bytes("t"."word") in (?)))', ['a']],
    [['word', 'contains', 'a'], '(exact_anywhere("t"."word", ?))', ['a']],
    [['word', 'starts_with', 'a'], '(exact_start("t"."word", ?))', ['a']],
    [['word', 'ends_with', 'a'], '(exact_end("t"."word", ?))', ['a']],
    [['word', 'ieq', 'a'], '(folded_whole("t"."word", ?))', ['a']],
    [['word', 'icontains', 'a'], '(folded_anywhere("t"."word", ?))', ['a']],
    [['word', 'istarts_with', 'a'], '(folded_start("t"."word", ?))', ['a']],
    [['word', 'iends_with', 'a'], '(folded_end("t"."word", ?))', ['a']],
    [['span', 'contains', 5], '("t"."span" contains ?)', ['5']],
    [['span', 'overlaps', '[1,5)'], '("t"."span" overlaps ?)', ['[1,5)']],
    [['doc', 'has', 'a'], '(some of ? in "t"."doc")', ['"a"']],
    [['doc', 'has_any', [1, true]], '(some of ?, ? in "t"."doc")', ['1e0', 'true']],
    [['doc', 'has_all', ['a', 2.5]], '(all of ?, ? in "t"."doc")', ['"a"', '25e-1']],
  ])('in %j compiles to %s', ([attribute, op, value], text, parameters) => {
    expect(compiled({ attribute, op, value })).toEqual({ sql: text, parameters });
  });

  it('asks for NULL as the dialect does, also where a negation would turn it round', () => {
    const dialect = { ...plainDialect, isNull };
    const value = { attribute: 'rank', op: 'is_null', value: false };
    const text = (filter: unknown): string => compiled(filter, dialect).sql;
    expect(text(value)).toBe('("t"."rank" is not null)');
    expect(text({ not: { and: [value, leaf(1)] } })).toBe(
      'not ((not ("t"."rank" <=> null)) and ("t"."rank" in (?)))',
    );
    expect(text({ not: { not: value } })).toBe('not not ("t"."rank" is not null)');
  });
});

describe('a group', () => {
  const is = '("t"."rank" in (?))';

  it.each<[unknown, string, unknown[]]>([
    [{ and: [leaf(1)] }, `(${is})`, [1n]],
    [{ and: [leaf(1), leaf(2)] }, `(${is} and ${is})`, [1n, 2n]],
    [{ or: [leaf(1), leaf(2)] }, `(${is} or ${is})`, [1n, 2n]],
    [{ not: leaf(1) }, `not ${is}`, [1n]],
    [{ not: { or: [leaf(1), leaf(2)] } }, `not (${is} or ${is})`, [1n, 2n]],
    [
      { or: [leaf(1), { and: [leaf(2), { not: leaf(3) }] }] },
      `(${is} or (${is} and not ${is}))`,
      [1n, 2n, 3n],
    ],
  ])('%j compiles with its parts in parentheses', (filter, text, parameters) => {
    expect(compiled(filter)).toEqual({ sql: text, parameters });
  });
});

const value = fc.string({ unit: 'binary', maxLength: 8 }).filter((text) => !text.includes('\0'));
fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'filter' },
    fc.record({
      attribute: fc.constant('word'),
      op: fc.constantFrom('eq', 'lt', 'contains', 'iends_with', 'is_distinct'),
      value,
    }) as fc.Arbitrary<Filter>,
    fc.record({ and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('filter') }),
  ),
}));

it.each<[Condition, number[]]>([
  [joined(1, 'eq', 5), [1]],
  [joined(undefined, 'eq', 5), []],
  [joined(1, 'is_distinct', 5), []],
  [joined(1, 'is_null', true), []],
  [joined(1, 'is_null', false), [1]],
  [{ not: joined(1, 'eq', 5) }, [1]],
  [{ not: joined(1, 'is_null', true) }, [1]],
  [{ not: joined(1, 'is_null', false) }, []],
  [{ not: { and: [joined(1, 'eq', 5)] } }, []],
  [
    { and: [joined(1, 'eq', 5), { and: [joined(2, 'lt', 5)] }, joined(3, 'is_null', true)] },
    [1, 2],
  ],
  [{ or: [{ and: [joined(1, 'eq', 5), joined(2, 'eq', 5)] }, joined(2, 'gt', 5)] }, [2]],
  [{ or: [joined(2, 'gt', 5), joined(1, 'is_null', true), joined(2, 'eq', 5)] }, []],
  [{ or: [] }, []],
  [{ referred: { isThere: true } as Referred }, []],
])('rows that joins found nothing for never meet %j of the joins %j', (condition, joins) => {
  expect([...rejectedNulls(condition)]).toEqual(joins);
});

function joined(join: number | undefined, op: PlannedOperator, one: number | boolean): Comparison {
  return { attribute: { ...COUNT, ...(join !== undefined && { join }) }, op, values: [one] };
}

it('a value that no record can hold is compared with by nothing but NULL', () => {
  const dialect: Dialect = { ...plainDialect, canHold: (text) => !text.includes('ж') };
  const textOf = (op: PlannedOperator, values: Comparison['values'], type: WireType = 'text') => {
    const attribute = { ...COUNT, column: 'a', type };
    return compile(compileCondition({ attribute, op, values }, dialect), plainDialect).sql;
  };
  const never = '("t"."a" is null and null)';
  expect(textOf('eq', ['ж'])).toBe(never);
  expect(textOf('in', ['ж', 'b'])).toBe('(bytes("t"."a") in (?))');
  expect(textOf('contains', ['ж'])).toBe(never);
  expect(textOf('has', ['ж'], 'array')).toBe(never);
  expect(textOf('has_any', ['ж', 'b'], 'array')).toBe('(some of ? in "t"."a")');
  expect(textOf('has_all', ['ж', 'b'], 'array')).toBe(never);
  expect(textOf('has_all', ['c', 'b'], 'array')).toBe('(all of ?, ? in "t"."a")');
});

const whereNotNull = (type: WireType, dialect: Dialect) => {
  const attribute = { ...COUNT, column: 'a', type };
  const condition: Condition = { attribute, op: 'is_null', values: [false] };
  return [condition, { not: condition }].map(
    (one) => compile(compileCondition(one, dialect), plainDialect).sql,
  );
};

it('asks for composite values that are not NULL as the dialect does, and for others plainly', () => {
  const own = '(not ("t"."a" <=> null))';
  expect(whereNotNull('other', { ...plainDialect, isNull })).toEqual([own, `not ${own}`]);
  const plain = '("t"."a" is not null)';
  expect(whereNotNull('int64', { ...plainDialect, isNull })).toEqual([plain, `not ${own}`]);
  expect(whereNotNull('other', plainDialect)).toEqual([plain, `not ${plain}`]);
});
