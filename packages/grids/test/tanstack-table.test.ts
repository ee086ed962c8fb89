import * as table from '@tanstack/table-core';
import { type FilterFnName, tableSource, type TableState } from '@proj/grids/tanstack-table';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { KINDS } from './item-databases.ts';
import { AMOUNTS, CODES, DAYS, NAMES, PRICES, TIMES } from './item-values.ts';
import { type Item, numberOf, CASES, serveItems, someTerms, Outcomes } from './items.ts';

type Column = Exclude<keyof Item, 'id'>;

const text = fc.constantFrom(...NAMES, 'z', 'UG', '%', '_');
const range = <Value>(value: fc.Arbitrary<Value>) =>
  fc.tuple(fc.option(value, { nil: undefined }), fc.option(value, { nil: undefined }));
const amount = fc.constantFrom(...AMOUNTS);
const price = fc.constantFrom(...PRICES);
const moment = fc.constantFrom(...TIMES).map((time) => new Date(time.replace(' ', 'T')));

const TEXTS = [
  'includesString',
  'includesStringSensitive',
  'equalsString',
  'equalsStringSensitive',
  'startsWith',
  'endsWith',
  'empty',
  'notEmpty',
  'equals',
] as const;
const NUMBERS = [
  'greaterThan',
  'greaterThanOrEqualTo',
  'lessThan',
  'lessThanOrEqualTo',
  'weakEquals',
] as const;
const RANGES = ['between', 'betweenInclusive', 'inNumberRange'] as const;

const filter = <Value>(id: Column, names: readonly FilterFnName[], value: fc.Arbitrary<Value>) =>
  fc.record({ id: fc.constant(id), name: fc.constantFrom(...names), value });

const anyFilter = fc.oneof(
  filter('name', TEXTS, text),
  filter('name', ['arrHas', 'arrIncludes'], fc.array(text, { maxLength: 3 })),
  filter('code', TEXTS, fc.constantFrom(...CODES)),
  filter('amount', NUMBERS, amount),
  filter('amount', RANGES, range(amount)),
  filter('price', NUMBERS, price),
  filter('price', RANGES, range(price)),
  filter('price', ['equals', 'arrHas'], price),
  filter('active', ['equals'], fc.boolean()),
  filter('day', ['inDateRange'], range(fc.constantFrom(...DAYS))),
  filter('at', ['inDateRange'], range(moment)),
);

/** The values of rows as a table of numbers and dates has them. */
function cell(item: Item, column: Column): unknown {
  return column === 'amount' ? numberOf(item.amount) : item[column];
}

type AnyFilterFn = typeof table.filterFn_equals;

/** TanStack Table's own functions are the judges, resolved and left out as a table does it. */
function passes(
  item: Item,
  { id, name, value }: { id: Column; name: string; value: unknown },
): boolean {
  const fn: AnyFilterFn = Reflect.get(table, `filterFn_${name}`) as AnyFilterFn;
  if (fn.autoRemove?.(value) === true) return true;
  const wanted: unknown = fn.resolveFilterValue ? fn.resolveFilterValue(value) : value;
  const row = { getValue: () => cell(item, id) };
  return fn(row as never, id, wanted as never, () => undefined);
}

describe.each(KINDS)('TanStack Table over $name', (kind) => {
  const service = serveItems(kind);

  it('TanStack Table gets the rows that its own filter functions let pass', async () => {
    const outcomes = new Outcomes();
    const requests = fc.record({
      filters: fc.uniqueArray(anyFilter, { selector: ({ id }) => id, maxLength: 3 }),
      globalFilter: fc.constantFrom('', '', 'u', '1', '%'),
      terms: someTerms,
      pageIndex: fc.integer({ min: 0, max: 3 }),
      pageSize: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(requests, async ({ filters, globalFilter, terms, pageIndex, pageSize }) => {
        const found = service().items.filter(
          (item) =>
            filters.every((one) => passes(item, one)) &&
            [item.name ?? '', item.code].some((one) => one.toLowerCase().includes(globalFilter)),
        );
        const source = tableSource(service().client, {
          model: 'items',
          filterFns: Object.fromEntries(filters.map(({ id, name }) => [id, name])),
        });
        const state: TableState = {
          pagination: { pageIndex, pageSize },
          sorting: terms.map(({ column, descending }) => ({ id: column, desc: descending })),
          columnFilters: filters.map(({ id, value }) => ({ id, value })),
          globalFilter,
        };
        const start = pageIndex * pageSize;
        await outcomes.answer(
          async () => source.queryOptions(state).queryFn({}),
          ({ rows, rowCount, pageCount }) => {
            expect(rows).toEqual(
              service()
                .sorted(found, terms)
                .slice(start, start + pageSize),
            );
            expect([rowCount, pageCount]).toEqual([
              found.length,
              Math.ceil(found.length / pageSize),
            ]);
          },
        );
      }),
      CASES,
    );
    expect(outcomes.areBoth).toBe(true);
  });
});
