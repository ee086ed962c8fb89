import * as fc from 'fast-check';

import { COUNTS } from './counts.ts';

export type Value = string | number | null;

export type Row = Readonly<Record<string, Value>>;

type Tested =
  | { readonly attribute: string; readonly op: string; readonly value: unknown }
  | { readonly and: readonly Tested[] }
  | { readonly or: readonly Tested[] }
  | { readonly not: Tested };

const ATTRIBUTES = ['id', 'name', 'level', ...COUNTS.map((_, index) => `n${index}`)];

export function kindOf(name: string): 'number' | 'digits' | 'text' {
  const [, place] = /^n(\d+)$/.exec(name) ?? [];
  if (place === undefined) return name === 'name' ? 'text' : 'number';
  return COUNTS[Number(place)]?.kind ?? 'text';
}

const attribute = fc.constantFrom(...ATTRIBUTES);

const leaf = attribute.chain((name) => {
  const number = fc.integer({ min: 0, max: 9 });
  const value = {
    number,
    digits: fc.oneof(number, fc.integer({ min: 10, max: 150 })).map(String),
    text: fc.constantFrom('t1', 't2', 't3'),
  }[kindOf(name)] as fc.Arbitrary<number | string>;
  const of = (op: string, values: fc.Arbitrary<unknown>) =>
    fc.record({ attribute: fc.constant(name), op: fc.constant(op), value: values });
  const values = fc.array(value, { minLength: 1, maxLength: 4 });
  const ordered = ['lt', 'lte', 'gt', 'gte'].map((op) => of(op, value));
  return fc.oneof(
    ...['eq', 'ne', 'is_distinct'].map((op) => of(op, value)),
    ...['in', 'not_in'].map((op) => of(op, values)),
    of('is_null', fc.boolean()),
    ...(kindOf(name) === 'text' ? [] : ordered),
  );
});

const { filter } = fc.letrec<{ filter: Tested; node: Tested }>((tie) => ({
  filter: fc.oneof({ withCrossShrink: true, maxDepth: 3 }, leaf, tie('node')),
  node: fc.oneof(
    fc.record({ and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('filter') }),
  ),
}));

export const list = fc
  .record({
    attributes: fc.uniqueArray(attribute, { minLength: 1, maxLength: 5 }),
    filter: fc.option(filter, { nil: undefined }),
    sort: fc.uniqueArray(
      fc.record({
        attribute,
        direction: fc.constantFrom('asc', 'desc'),
        nulls: fc.constantFrom('first', 'last'),
      }),
      { maxLength: 3, selector: (term) => term.attribute },
    ),
    page: fc.integer({ min: 1, max: 4 }),
    size: fc.integer({ min: 1, max: 9 }),
  })
  // A request has at most five counts.
  .filter((one) => namedCounts(one).length <= 5);

export type CountedList = typeof list extends fc.Arbitrary<infer One> ? One : never;

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
