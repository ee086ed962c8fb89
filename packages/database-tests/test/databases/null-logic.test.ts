import { describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { useTables } from './everywhere.ts';
import type { Table } from './tables.ts';

const FIXTURES = fixturesOf(import.meta.filename);

/** True, false, or unknown. */
type Truth = boolean | null;

const VALUES = [0, 1, null] as const;
const ROWS = VALUES.flatMap((a) => VALUES.flatMap((b) => VALUES.map((c) => [a, b, c] as const)));

const TABLE: Table = {
  name: 'triples',
  columns: { a: 'int32', b: 'int32', c: 'int32' },
  rows: ROWS,
};

type Leaf = { readonly attribute: 'a' | 'b' | 'c'; readonly op: string; readonly value: unknown };
type Filter =
  | Leaf
  | { readonly and: readonly Filter[] }
  | { readonly or: readonly Filter[] }
  | { readonly not: Filter };

const A: Leaf = { attribute: 'a', op: 'eq', value: 1 };
const B: Leaf = { attribute: 'b', op: 'ne', value: 1 };
const C: Leaf = { attribute: 'c', op: 'lt', value: 1 };

const LEAVES: readonly Leaf[] = [
  A,
  B,
  C,
  { attribute: 'a', op: 'in', value: [0, 1] },
  { attribute: 'a', op: 'not_in', value: [0] },
  { attribute: 'a', op: 'not_in', value: [0, 1, 2] },
  { attribute: 'a', op: 'between', value: [0, 1] },
  { attribute: 'a', op: 'is_null', value: true },
  { attribute: 'a', op: 'is_null', value: false },
  { attribute: 'a', op: 'is_distinct', value: 1 },
  { attribute: 'a', op: 'is_distinct', value: null },
];

const PAIRS: readonly Filter[] = [
  { and: [A, B] },
  { or: [A, B] },
  { and: [A, { not: B }] },
  { or: [{ not: A }, B] },
];

const FILTERS: readonly Filter[] = [
  ...LEAVES,
  ...PAIRS,
  ...PAIRS.flatMap((pair): Filter[] => [
    { and: [pair, C] },
    { or: [C, pair] },
    { or: [pair, { not: C }] },
  ]),
  { and: [A] },
  { or: [B] },
  { and: [{ or: [A, B, C] }, { not: { and: [A, B, C] } }] },
  { not: { not: { not: A } } },
  {
    or: [
      { and: [A, { attribute: 'b', op: 'is_null', value: true }] },
      { attribute: 'c', op: 'is_distinct', value: 1 },
    ],
  },
  { and: [A, { not: A }] },
  { or: [A, { not: A }] },
];

describe('a filter over rows with NULL, on every database', () => {
  const everywhere = useTables([TABLE], FIXTURES);

  it.each([...FILTERS, ...FILTERS.map((filter) => ({ not: filter }))])(
    'keeps the rows for which it is true: %j',
    async (filter) => {
      const kept = ROWS.flatMap((row, index) =>
        evaluate(filter, row) === true ? [index + 1] : [],
      );
      expect(await everywhere.ids(TABLE.name, filter)).toEqual(kept);
    },
  );
});

/** Three-valued logic as SQL has it. */
function evaluate(filter: Filter, row: (typeof ROWS)[number]): Truth {
  if ('not' in filter) return negate(evaluate(filter.not, row));
  if ('and' in filter) return all(filter.and.map((part) => evaluate(part, row)));
  if ('or' in filter) return negate(all(filter.or.map((part) => negate(evaluate(part, row)))));
  const { attribute, op, value } = filter;
  const stored = row['abc'.indexOf(attribute)] ?? null;
  if (op === 'is_null') return (stored === null) === value;
  if (op === 'is_distinct') return stored !== value;
  return stored === null ? null : compare(stored, op, value);
}

function compare(stored: number, op: string, value: unknown): boolean {
  const values = [value].flat() as number[];
  const [first = 0, second = 0] = values;
  switch (op) {
    case 'eq':
    case 'in':
      return values.includes(stored);
    case 'ne':
    case 'not_in':
      return !values.includes(stored);
    case 'lt':
      return stored < first;
    case 'between':
      return stored >= first && stored <= second;
    default:
      throw new Error(`The test does not know ${op}.`);
  }
}

function all(parts: readonly Truth[]): Truth {
  if (parts.includes(false)) return false;
  return parts.includes(null) ? null : true;
}

function negate(truth: Truth): Truth {
  return truth === null ? null : !truth;
}
