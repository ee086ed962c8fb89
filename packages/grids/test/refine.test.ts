import { ReadOnlyError } from '@proj/grids';
import { refineProvider, type RefineFilter } from '@proj/grids/refine';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { KINDS } from './item-databases.ts';
import { AMOUNTS, CODES, DAYS, NAMES, PRICES } from './item-values.ts';
import {
  compareValues,
  type Item,
  joined,
  numberOf,
  CASES,
  serveItems,
  someTerms,
  Outcomes,
} from './items.ts';

type CellValue = string | number | boolean | null;

const ORDERED = ['eq', 'ne', 'lt', 'gt', 'lte', 'gte'] as const;
const TEXTS = [
  'eq',
  'ne',
  'eqs',
  'nes',
  'contains',
  'ncontains',
  'containss',
  'ncontainss',
  'startswith',
  'nstartswith',
  'startswiths',
  'nstartswiths',
  'endswith',
  'nendswith',
  'endswiths',
  'nendswiths',
] as const;

type Operator = string;

const filter = <Value>(
  field: keyof Item,
  operators: readonly Operator[],
  value: fc.Arbitrary<Value>,
) => fc.record({ field: fc.constant(field), operator: fc.constantFrom(...operators), value });

const text = fc.constantFrom(...NAMES, 'z', 'UG', '%', '_');
const amount = fc.constantFrom(...AMOUNTS);
const price = fc.constantFrom(...PRICES);
const pair = <Value>(value: fc.Arbitrary<Value>) => fc.tuple(value, value);

const leaf: fc.Arbitrary<RefineFilter> = fc.oneof(
  { weight: 3, arbitrary: filter('name', TEXTS, text) },
  filter('name', ['in', 'nin'], fc.array(text, { maxLength: 3 })),
  filter('name', ['null', 'nnull'], fc.constantFrom(true, undefined)),
  filter('code', ['eq', 'ne'], fc.constantFrom(...CODES)),
  filter('amount', ORDERED, amount),
  filter('amount', ['between', 'nbetween'], pair(amount)),
  filter('price', ORDERED, price),
  filter('price', ['between', 'nbetween'], pair(price)),
  filter('day', ORDERED, fc.constantFrom(...DAYS)),
  filter('active', ['eq', 'ne'], fc.boolean()),
  // What has to be refused.
  filter('name', ['ina', 'nina'], fc.array(text, { maxLength: 2 })),
);

const tree: fc.Arbitrary<RefineFilter> = fc.oneof(
  { weight: 3, arbitrary: leaf },
  fc.record({
    operator: fc.constantFrom('and' as const, 'or' as const),
    value: fc.array(leaf, { minLength: 1, maxLength: 3 }),
  }),
);

/** What an operator says; one that begins with `n` says the opposite, of NULL too. */
function passes(item: Item, one: RefineFilter): boolean {
  const { operator, value } = one as { operator: string; value: never };
  if (operator === 'and' || operator === 'or')
    return joined(
      (value as RefineFilter[]).map((part) => passes(item, part)),
      operator === 'or',
    );
  const { field } = one as { field: keyof Item };
  const own = field === 'amount' ? numberOf(item.amount) : item[field];
  if (operator === 'null' || operator === 'nnull') return (own === null) === (operator === 'null');
  if (operator.startsWith('n'))
    return !holds(own, operator.slice(1).replace(/^e(s?)$/, 'eq$1'), value);
  return holds(own, operator, value);
}

function holds(own: CellValue, operator: string, value: unknown): boolean {
  if (own === null) return false;
  const order = compareValues(own, value);
  const [cell = '', sought = ''] = [String(own), String(value)].map((one) =>
    /.ss$|withs$/.test(operator) ? one : one.toLowerCase(),
  );
  const [from, to] = Array.isArray(value) ? (value as unknown[]) : [];
  const results: Readonly<Record<string, boolean>> = {
    eq: own === value,
    eqs: own === value,
    lt: order < 0,
    lte: order <= 0,
    gt: order > 0,
    gte: order >= 0,
    in: Array.isArray(value) && value.includes(own),
    contains: cell.includes(sought),
    startswith: cell.startsWith(sought),
    endswith: cell.endsWith(sought),
    between: compareValues(own, from) >= 0 && compareValues(own, to) <= 0,
  };
  return results[operator] ?? results[operator.slice(0, -1)] ?? expect.fail(operator);
}

describe.each(KINDS)('Refine over $name', (kind) => {
  const service = serveItems(kind);

  it('Refine gets the records that its filters and orders mean', async () => {
    const outcomes = new Outcomes();
    const requests = fc.record({
      filters: fc.array(tree, { maxLength: 2 }),
      terms: someTerms,
      currentPage: fc.integer({ min: 1, max: 4 }),
      pageSize: fc.integer({ min: 1, max: 40 }),
    });
    const provider = refineProvider(service().client);
    await fc.assert(
      fc.asyncProperty(requests, async ({ filters, terms, currentPage, pageSize }) => {
        const sorters = terms.map(({ column, descending }) => ({
          field: column,
          order: descending ? ('desc' as const) : ('asc' as const),
        }));
        const end = currentPage * pageSize;
        await outcomes.answer(
          async () =>
            provider.getList({
              resource: 'items',
              filters,
              sorters,
              pagination: { currentPage, pageSize },
            }),
          (list) => {
            const found = service().items.filter((item) =>
              filters.every((one) => passes(item, one)),
            );
            const data = service()
              .sorted(found, terms)
              .slice(end - pageSize, end);
            expect(list).toEqual({ data, total: found.length });
          },
        );
      }),
      CASES,
    );
    expect(outcomes.areBoth).toBe(true);
  });

  it('Refine finds records by ids, reads whole lists of one page, and writes nothing', async () => {
    const provider = refineProvider(service().client, { apiUrl: 'https://data.example.com' });
    expect(provider.getApiUrl()).toBe('https://data.example.com');
    const { data: one } = await provider.getOne({ resource: 'items', id: '7' });
    expect(one).toEqual(service().items[6]);
    const ids = ['["3","left"]', '["4","right"]'];
    const { data } = await provider.getMany<{ item: string }>({ resource: 'parts', ids });
    expect(data.map(({ item }) => item)).toEqual(['3', '4']);
    const all = await provider.getList({ resource: 'parts', pagination: { mode: 'off' } });
    expect([all.data.length, all.total]).toEqual([120, 120]);
    await expect(provider.create()).rejects.toThrow(ReadOnlyError);
  });
});
