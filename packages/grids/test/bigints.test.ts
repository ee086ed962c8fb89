import type { DynamicQueryClient } from '@proj/client';
import { EVERYTHING } from '@proj/engine';
import { serverSideDatasource } from '@proj/grids/ag-grid';
import { muiDataSource } from '@proj/grids/mui-x';
import { tableSource } from '@proj/grids/tanstack-table';
import { beforeAll, expect, it, onTestFinished } from 'vitest';

import { clientOf, engineOf } from './client-of-app.ts';
import { SQLITE } from './item-databases.ts';

const MODELS = {
  parts: {
    relations: { whole: { attributes: ['size'], model: 'items', key: ['id'], inverse: 'parts' } },
  },
} as const;

/** No number holds it. */
const LARGE = 2n ** 53n + 1n;

/** Clients that give int64 as texts, and as bigints. */
let clients: readonly DynamicQueryClient[];

beforeAll(async () => {
  const database = await SQLITE.create();
  await database.run(`create table items (id integer primary key);
    create table parts (id integer primary key, size integer);
    insert into items values (1), (${LARGE});
    insert into parts values (1, 1), (2, 1), (3, ${LARGE}), (4, null);`);
  const engine = await engineOf({ database: database.url, models: MODELS });
  const of = async (int64: 'string' | 'bigint') => clientOf(engine, EVERYTHING, { int64 });
  clients = await Promise.all([of('string'), of('bigint')]);
});

it('groups of AG Grid have the same keys and ids whether a client gives texts or bigints', async () => {
  const shown = clients.map(async (client) => {
    const source = serverSideDatasource(client, { model: 'parts' });
    const load = async (groupKeys: string[]) =>
      new Promise<Record<string, unknown>[]>((resolve, reject) => {
        const rowGroupCols = [{ id: 'size', field: 'size', displayName: 'Size' }];
        const lists = { valueCols: [], pivotCols: [], pivotMode: false, sortModel: [] };
        const range = { startRow: 0, endRow: 10, filterModel: null };
        source.getRows({
          request: { ...lists, ...range, rowGroupCols, groupKeys },
          success: ({ rowData }) => resolve(rowData),
          fail: () => reject(new Error('failed')),
        });
      });
    const groups = await load([]);
    const records = await Promise.all(groups.map(async ({ size }) => load([String(size)])));
    return {
      keys: groups.map(({ size }) => size),
      ids: groups.map((data) => source.getRowId({ data, level: 0 })),
      inside: records.map((rows) => rows.map(({ id }) => String(id))),
    };
  });
  const [texts, bigints] = await Promise.all(shown);
  expect(bigints).toEqual(texts);
  expect(bigints?.keys).toEqual(expect.arrayContaining(['1', String(LARGE), '(Blanks)']));
});

it('groups of TanStack Table have the same ids whether a client gives texts or bigints', async () => {
  const shown = clients.map(async (client) => {
    const source = tableSource(client, { model: 'parts' });
    const state = { pagination: { pageIndex: 0, pageSize: 10 }, grouping: ['size'] };
    const { rows: groups } = await source.groupedQueryOptions(state).queryFn({});
    const ids = groups.map(({ $group }) => $group?.id ?? '');
    const expanded = Object.fromEntries(ids.map((id) => [id, true]));
    const { rows } = await source.groupedQueryOptions({ ...state, expanded }).queryFn({});
    return { ids, inside: rows.map(({ $group }) => $group?.rows.map(({ id }) => String(id))) };
  });
  const [texts, bigints] = await Promise.all(shown);
  expect(bigints).toEqual(texts);
  expect(bigints?.ids).toContain(`size:"${LARGE}"`);
});

it('a list is watched whose related records are counted by a filter with a bigint', async () => {
  const [client] = clients;
  const filter = { attribute: 'id', op: 'gt', value: 1n } as const;
  const source = muiDataSource(client as DynamicQueryClient, {
    model: 'items',
    related: { parts: { related: 'parts', op: 'count', filter } },
  });
  onTestFinished(source.watch(() => undefined));
  const block = { sortModel: [], filterModel: { items: [] }, start: 0, end: 9 };
  const { rows } = await source.getRows(block);
  expect(rows.map(({ parts }) => parts)).toEqual([1n, 1n]);
});

it('a condition with a list of bigints where one value is wanted is refused by name', async () => {
  const [client] = clients;
  const source = muiDataSource(client as DynamicQueryClient, { model: 'items' });
  const items = [{ field: 'id', operator: '=', value: [1n] }];
  const block = source.getRows({ sortModel: [], filterModel: { items }, start: 0, end: 9 });
  await expect(block).rejects.toThrow('["1"]');
});
