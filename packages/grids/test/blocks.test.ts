import { createClient } from '@proj/client';
import {
  ChangingListError,
  type GridClient,
  MappingError,
  rowFilterOf,
  rowIdOf,
} from '@proj/grids';
import { infiniteDatasource } from '@proj/grids/ag-grid';
import { muiDataSource } from '@proj/grids/mui-x';
import { tableSource } from '@proj/grids/tanstack-table';
import { expect, it, onTestFinished, vi } from 'vitest';

import { type Items, serveItems } from './items.ts';

const service = serveItems();

/** What each of these sources is asked for when a grid shows it first. */
const FIRST = { sortModel: [], filterModel: { items: [] }, start: 0, end: 9 };

/** Whether a text holds a word, in any letter case. */
function has(text: string | null, word: string): boolean {
  return text?.toLowerCase().includes(word) === true;
}

/** A client with which something happens before each query but the first. */
function disturbed(client: Items['client'], disturb: () => Promise<unknown>): GridClient {
  let queries = 0;
  return {
    model: async (name, options) => client.model(name, options),
    models: async (options) => client.models(options),
    groups: (query) => client.groups(query),
    watch: (list, options) => client.watch(list, options),
    query: async (query, options) => {
      if (queries++ > 0) await disturb();
      return client.query(query, options);
    },
  };
}

it('a block that lies on two pages is read again when the list changes between them', async () => {
  const { client, write } = service();
  let left = 1;
  const source = muiDataSource(
    disturbed(client, async () => {
      if (left-- > 0) await write(`insert into parts values (0, 'new', null)`);
    }),
    { model: 'parts' },
  );
  const { rows, rowCount } = await source.getRows({ ...FIRST, start: 5, end: 14 });
  expect(rowCount).toBe(121);
  expect(rows.map(({ item, side }) => [item, side]).slice(0, 2)).toEqual([
    ['2', 'left'],
    ['2', 'right'],
  ]);
  expect(new Set(rows.map((row) => source.getRowId(row))).size).toBe(10);
  await write(`delete from parts where item = 0`);
});

it('a block of a list that changes each time it is read is an error that says so', async () => {
  const { client, write } = service();
  let next = 0;
  const source = muiDataSource(
    disturbed(client, async () => write(`insert into parts values (-${++next}, 'new', null)`)),
    { model: 'parts' },
  );
  const block = source.getRows({ ...FIRST, start: 5, end: 14 });
  await expect(block).rejects.toThrow(ChangingListError);
  await expect(block).rejects.toThrow('parts changed between the pages of one block');
  await write(`delete from parts where item < 0`);
});

it('a block that is a page is one query, and one past the end is empty', async () => {
  const { client } = service();
  const query = vi.spyOn(client, 'query');
  const source = muiDataSource(client, { model: 'items' });
  const block = await source.getRows({ ...FIRST, start: 20, end: 29 });
  expect(block.rows.map(({ id }) => id).slice(0, 2)).toEqual(['21', '22']);
  expect(query).toHaveBeenCalledOnce();
  expect(await source.getRows({ ...FIRST, start: 1005, end: 1014 })).toEqual({
    rows: [],
    rowCount: 60,
    pageInfo: { hasNextPage: false },
  });
});

it('the catalogue is read once, and only where a filter or an order along a path needs it', async () => {
  const { client } = service();
  const models = vi.spyOn(client, 'models');
  const source = muiDataSource(client, { model: 'parts', attributes: ['whole.name'] });
  await source.getRows(FIRST);
  expect(models).not.toHaveBeenCalled();
  const sortModel = [{ field: 'whole.name', sort: 'asc' as const }];
  const items = [{ field: 'whole.code', operator: 'contains', value: '1' }];
  await source.getRows({ ...FIRST, sortModel, filterModel: { items } });
  await source.getRows({ ...FIRST, sortModel });
  expect(models).toHaveBeenCalledOnce();
  const unknown = source.getRows({
    ...FIRST,
    sortModel: [{ field: 'whole.no_such', sort: 'asc' }],
  });
  await expect(unknown).rejects.toThrow('sort of "whole.no_such": the model parts has no such');
});

it('a block that is larger than a page may be is read in several of them', async () => {
  const source = muiDataSource(service().client, { model: 'parts', total: 'none' });
  const wanted = { ...FIRST, start: 7, end: 1506 };
  const { rows, rowCount, pageInfo } = await source.getRows(wanted);
  expect([rows.length, rowCount, pageInfo]).toEqual([113, -1, { hasNextPage: false }]);
});

it('a list whose watch has failed is watched again when a grid reads it anew', async () => {
  const { client } = service();
  let begun = 0;
  const failing: GridClient = {
    ...disturbed(client, async () => undefined),
    // oxlint-disable-next-line require-yield -- it fails before its first state
    watch: async function* watch() {
      begun += 1;
      throw new Error('the network is away');
    },
  };
  const source = muiDataSource(failing, { model: 'parts' });
  const end = source.watch(() => undefined);
  await source.getRows(FIRST);
  await source.getRows(FIRST);
  expect(begun).toBe(2);
  end();
});

it('a grid follows the list that it has asked for last, however late an earlier reply comes', async () => {
  const { client } = service();
  const release = Promise.withResolvers<undefined>();
  const followed: unknown[] = [];
  let queries = 0;
  const slow: GridClient = {
    ...disturbed(client, async () => undefined),
    query: async (query, options) => {
      const isFirst = queries++ === 0;
      const page = await client.query(query, options);
      if (isFirst) await release.promise;
      return page;
    },
    watch: (list: Parameters<typeof client.watch>[0], options) => {
      followed.push(list.sort);
      return client.watch(list, options);
    },
  };
  const source = muiDataSource(slow, { model: 'parts' });
  onTestFinished(source.watch(() => undefined));
  const first = source.getRows({ ...FIRST, sortModel: [{ field: 'item', sort: 'desc' }] });
  await expect.poll(() => queries).toBe(1);
  await source.getRows(FIRST);
  release.resolve(undefined);
  await first;
  expect(followed).toEqual([undefined]);
});

it('ids of rows lead back to their records, and differ from each other', async () => {
  const { client } = service();
  const model = await client.model('parts');
  const { records } = await client.all({ model: 'parts', attributes: ['item', 'side'], size: 100 });
  const ids = records.map((record) => rowIdOf(model, record));
  expect(new Set(ids).size).toBe(records.length);
  const list = { model: 'parts', attributes: ['item', 'side'], page: 1, size: 10 } as const;
  for (const [index, id] of ids.entries()) {
    // Each side of the parts in turn.
    if (index % 8 > 0) continue;
    const { records: found } = await client.query({ ...list, filter: rowFilterOf(model, id) });
    expect(found).toEqual([records[index]]);
  }
});

it('a quick filter of AG Grid finds all its words, and is refused if too long', async () => {
  const onError = vi.fn<(error: unknown) => void>();
  const found = async (text: string): Promise<unknown> => {
    const options = { model: 'items', quickFilter: () => text, onError };
    const source = infiniteDatasource(service().client, options);
    return new Promise((resolve) => {
      source.getRows({
        startRow: 0,
        endRow: 100,
        sortModel: [],
        filterModel: {},
        successCallback: (_, last) => resolve(last),
        failCallback: () => resolve('failed'),
      });
    });
  };
  const count = service().items.filter(
    ({ name, code }) => has(name, 'zug') && (has(name, '12') || has(code, '12')),
  ).length;
  expect(count).toBeGreaterThan(0);
  expect(await found(' ZUG  12 ')).toBe(count);
  // Two text attributes: 25 words are 50 comparisons.
  expect(await found(Array(25).fill('z').join(' '))).toBeTypeOf('number');
  expect(await found(Array(26).fill('z').join(' '))).toBe('failed');
  expect(onError.mock.lastCall?.[0]).toBeInstanceOf(MappingError);
  expect(String(onError.mock.lastCall?.[0])).toContain('it has 52 comparisons');
});

it('a total that no number holds is unknown to the grid, but not that rows follow', async () => {
  const { client } = service();
  const total = 2n ** 60n;
  const last = { page: '1', size: '10', total: String(total), has_next: true };
  const vast = createClient({
    baseUrl: 'https://data.example.com',
    token: 't',
    fetch: async ({ url }) =>
      Response.json(
        url.endsWith('/query')
          ? { result: Array.from({ length: 10 }, (_, id) => ({ id: String(id) })), page: last }
          : await client.model('items'),
      ),
  });
  const options = { model: 'items', attributes: ['id'] };
  expect(await muiDataSource(vast, options).getRows(FIRST)).toMatchObject({
    rowCount: -1,
    pageInfo: { hasNextPage: true },
  });
  const state = { pagination: { pageIndex: 0, pageSize: 10 } };
  expect(await tableSource(vast, options).queryOptions(state).queryFn({})).toMatchObject({
    rowCount: null,
    pageCount: -1,
    hasNext: true,
  });
});

it('an aborted signal ends what is being read', async () => {
  const { client } = service();
  const signal = AbortSignal.abort(new Error('gone'));
  const own = muiDataSource(client, { model: 'items', signal });
  await expect(own.getRows(FIRST)).rejects.toThrow('gone');
  const state = { pagination: { pageIndex: 0, pageSize: 10 } };
  const table = tableSource(client, { model: 'items' }).queryOptions(state);
  await expect(table.queryFn({ signal })).rejects.toThrow('gone');
});

it('an error of the mapping names the column, the condition and what to use instead', async () => {
  const source = muiDataSource(service().client, { model: 'items' });
  const refusal = async (field: string, operator: string, value: unknown): Promise<string> => {
    const filterModel = { items: [{ field, operator, value }] };
    return source.getRows({ ...FIRST, filterModel }).then(() => '', String);
  };
  expect(await refusal('amount', 'contains', '1')).toContain(
    'contains of "amount": an attribute of type int64',
  );
  expect(await refusal('no_such', 'contains', '1')).toContain(
    'the model items has no such attribute',
  );
  expect(await refusal('amount', '>', 2 ** 53)).toContain(
    'above 2^53 − 1, write its digits as a string',
  );
  expect(await refusal('name', 'sounds like', 'x')).toContain('the operator is not known');
  expect(await refusal('day', 'is', 'soon')).toContain('its value is no date');
  const sortModel = ['name', 'code', 'amount', 'price', 'day', 'at'].map((field) => ({
    field,
    sort: 'asc' as const,
  }));
  await expect(source.getRows({ ...FIRST, sortModel })).rejects.toThrow(
    'an order has at most 5 columns',
  );
});
