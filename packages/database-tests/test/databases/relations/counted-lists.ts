import * as fc from 'fast-check';

import { COUNTS } from './counts.ts';
import { type AnyList, anyList, type Tested } from './random-lists.ts';

export type Value = string | number | null;

export type Row = Readonly<Record<string, Value>>;

const ATTRIBUTES = ['id', 'name', 'level', ...COUNTS.map((_, index) => `n${index}`)];

export function kindOf(name: string): 'number' | 'digits' | 'text' {
  const [, place] = /^n(\d+)$/.exec(name) ?? [];
  if (place === undefined) return name === 'name' ? 'text' : 'number';
  return COUNTS[Number(place)]?.kind ?? 'text';
}

const number = fc.integer({ min: 0, max: 9 });

const VALUES: Readonly<Record<ReturnType<typeof kindOf>, fc.Arbitrary<unknown>>> = {
  number,
  digits: fc.oneof(number, fc.integer({ min: 10, max: 150 })).map(String),
  text: fc.constantFrom('t1', 't2', 't3'),
};

export const list = anyList({
  attributes: ATTRIBUTES,
  valuesOf: (name) => ({
    values: VALUES[kindOf(name)],
    ordered: kindOf(name) === 'text' ? [] : ['lt', 'lte', 'gt', 'gte'],
  }),
  pages: 4,
  size: 9,
})
  // A request has at most five counts.
  .filter((one) => namedCounts(one).length <= 5);

export type CountedList = AnyList;

function namedCounts(one: object): string[] {
  return ATTRIBUTES.slice(3).filter((name) => JSON.stringify(one).includes(`"${name}"`));
}

interface CountedMembers {
  readonly query_attributes: readonly string[];
  readonly query_sort: CountedList['sort'];
  readonly query_filter?: object;
  readonly query_related?: readonly object[];
}

/** The members of a request that counts what the list names. */
export function membersOf({
  attributes,
  filter: where,
  sort,
  ...rest
}: CountedList): CountedMembers {
  const named = namedCounts({ attributes, where, sort, ...rest });
  return {
    query_attributes: attributes,
    query_sort: sort,
    ...(where && { query_filter: where }),
    ...(named.length > 0 && {
      query_related: named.map((name) => ({ name, ...COUNTS[Number(name.slice(1))]?.asked })),
    }),
  };
}

/** The rows of a list, in its order. */
export function rowsIn({ filter: where, sort }: CountedList, rows: readonly Row[]): Row[] {
  const terms = [...sort, { attribute: 'id', direction: 'asc', nulls: 'last' }];
  return rows
    .filter((row) => where === undefined || isMet(where, row) === true)
    .toSorted((a, b) => {
      for (const { attribute: name, direction, nulls } of terms) {
        const [one = null, other = null] = [a[name], b[name]];
        const isPlaced = one !== null && other !== null;
        const order = isPlaced
          ? compared(one, other, name) * (direction === 'asc' ? 1 : -1)
          : (Number(one === null) - Number(other === null)) * (nulls === 'last' ? 1 : -1);
        if (order !== 0) return order;
      }
      return 0;
    });
}

function compared(one: Value, other: Value, name: string): number {
  if (kindOf(name) === 'text') return String(one) < String(other) ? -1 : Number(one !== other);
  return Number(one) - Number(other);
}

/** Three-valued, as SQL is. */
function isMet(tested: Tested, row: Row): boolean | null {
  if ('and' in tested) return all(tested.and.map((part) => isMet(part, row)));
  if ('or' in tested) return negated(all(tested.or.map((part) => negated(isMet(part, row)))));
  if ('not' in tested) return negated(isMet(tested.not, row));
  const { attribute: name, op, value } = tested;
  const held = row[name] ?? null;
  const isSame = (one: unknown): boolean => String(held) === String(one);
  if (op === 'is_null') return (held === null) === value;
  if (op === 'is_distinct') return held === null || !isSame(value);
  if (held === null) return null;
  if (op === 'eq' || op === 'ne') return isSame(value) === (op === 'eq');
  if (Array.isArray(value)) return value.some(isSame) === (op === 'in');
  const order = compared(held, value as Value, name);
  return { lt: order < 0, lte: order <= 0, gt: order > 0, gte: order >= 0 }[op] ?? null;
}

function all(parts: readonly (boolean | null)[]): boolean | null {
  if (parts.includes(false)) return false;
  return parts.includes(null) ? null : true;
}

function negated(part: boolean | null): boolean | null {
  return part === null ? null : !part;
}
