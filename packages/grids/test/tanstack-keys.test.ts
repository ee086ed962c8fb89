import { QueryClient } from '@tanstack/query-core';
import { type GroupedState, tableSource } from '@proj/grids/tanstack-table';
import { expect, it } from 'vitest';

import { serveItems } from './items.ts';

const service = serveItems();

const STATE: GroupedState = {
  pagination: { pageIndex: 0, pageSize: 100 },
  columnFilters: [{ id: 'name', value: 'zug' }],
  grouping: ['code'],
};

const PARTS = { related: 'parts', op: 'count' } as const;

/** Options of which each changes what the same state shows. */
const TABLES = [
  {},
  { filterFns: { name: 'equalsString' } },
  { caseSensitive: true },
  { total: 'none' },
  { related: { parts: PARTS } },
  { related: { parts: { ...PARTS, filter: { attribute: 'item', op: 'gt', value: 20n } } } },
] as const;

it('tables of one model share what is read only where they have the same options', async () => {
  const cache = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const tables = TABLES.map((options) =>
    tableSource(service().client, { model: 'items', ...options }),
  );
  for (const table of tables) {
    const alone = await table.queryOptions(STATE).queryFn({});
    expect(await cache.fetchQuery(table.queryOptions(STATE))).toEqual(alone);
    const groups = await table.groupedQueryOptions(STATE).queryFn({});
    expect(await cache.fetchQuery(table.groupedQueryOptions(STATE))).toEqual(groups);
  }
  expect(cache.getQueryCache().getAll()).toHaveLength(2 * TABLES.length);
  const again = tableSource(service().client, { model: 'items', ...TABLES[4] });
  expect(cache.getQueryData(again.queryOptions(STATE).queryKey)).toBeDefined();
});
