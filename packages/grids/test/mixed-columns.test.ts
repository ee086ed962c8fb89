import { MappingError } from '@proj/grids';
import { serverSideDatasource, setFilterValues } from '@proj/grids/ag-grid';
import { refineProvider, type RefineFilter } from '@proj/grids/refine';
import type { IServerSideGetRowsParams, IServerSideGetRowsRequest } from 'ag-grid-community';
import { describe, expect, it, vi } from 'vitest';

import { clientOfApp } from './client-of-app.ts';
import { SQLITE } from './item-databases.ts';

const VALUES = ['5', '5', '1.5', '1e300', "'x'", "'05'", '9007199254740993', "x'616263'", 'null'];

async function clientOver(values: readonly string[]) {
  const { url, run } = await SQLITE.create();
  await run('create table mixed (id integer primary key, value)');
  await run(`insert into mixed (value) values ${values.map((one) => `(${one})`).join()}`);
  return clientOfApp({ database: url, models: {} });
}

const REQUEST = {
  startRow: 0,
  endRow: 100,
  rowGroupCols: [],
  valueCols: [],
  pivotCols: [],
  pivotMode: false,
  groupKeys: [],
  filterModel: null,
  sortModel: [],
} satisfies IServerSideGetRowsRequest;

const BY_VALUE = {
  rowGroupCols: [{ id: 'value', displayName: 'value', field: 'value' }],
  valueCols: [{ id: 'id', displayName: 'id', field: 'id', aggFunc: 'count' }],
};

/** AG Grid over records of these values, and what it was told to be wrong. */
async function gridOver(values: readonly string[]) {
  const client = await clientOver(values);
  const onError = vi.fn<(error: unknown) => void>();
  const source = serverSideDatasource(client, { model: 'mixed', onError });
  const load = async (request: Partial<IServerSideGetRowsRequest>) =>
    new Promise<{ value: unknown; id: number }[]>((resolve) => {
      const params: Partial<IServerSideGetRowsParams> = {
        request: { ...REQUEST, ...request },
        success: ({ rowData }) => resolve(rowData as { value: unknown; id: number }[]),
        fail: () => resolve([]),
      };
      source.getRows(params as IServerSideGetRowsParams);
    });
  return { client, load, onError };
}

describe('a column that holds numbers and texts', () => {
  it('has groups in AG Grid that open to their records, by the texts that are their keys', async () => {
    const { load } = await gridOver(VALUES);
    const groups = await load(BY_VALUE);
    expect(groups).toHaveLength(8);
    for (const { value, id: count } of groups) {
      const records = await load({ ...BY_VALUE, groupKeys: [String(value)] });
      expect([value, records.length]).toEqual([value, count]);
    }
  });

  it('has no groups in AG Grid where a number and a text have one key', async () => {
    const { load, onError } = await gridOver(['5', "'5'"]);
    expect(await load(BY_VALUE)).toEqual([]);
    const [[error] = []] = onError.mock.calls;
    expect(error).toBeInstanceOf(MappingError);
    expect(String(error)).toContain('two values have the key "5"');
  });

  it('has a set filter in AG Grid that finds the records of each value that it lists', async () => {
    const { client, load } = await gridOver([...VALUES, "'5'"]);
    const values = await new Promise<(string | null)[]>((success) => {
      setFilterValues(client, { model: 'mixed' })({ colDef: { field: 'value' }, success });
    });
    const counts: number[] = [];
    for (const value of values) {
      const filterModel = { value: { filterType: 'set', values: [value] } };
      counts.push((await load({ filterModel })).length);
    }
    expect(counts.filter((count) => count === 1)).toHaveLength(7);
    expect(counts[values.indexOf('5')]).toBe(3);
  });

  it('is compared with a text as a grid shows its values, and with a number as it is', async () => {
    const provider = refineProvider(await clientOver(['5', "'5'", '6', "'x'", 'null']));
    const find = async (operator: string, value: unknown) => {
      const filters: RefineFilter[] = [{ field: 'value', operator, value }];
      const { data } = await provider.getList<{ id: string }>({ resource: 'mixed', filters });
      return data.map(({ id }) => Number(id));
    };
    expect(await find('eq', '5')).toEqual([1, 2]);
    expect(await find('eq', 5)).toEqual([1]);
    expect(await find('ne', '5')).toEqual([3, 4, 5]);
    expect(await find('ne', 5)).toEqual([2, 3, 4, 5]);
    expect(await find('in', ['6', 'x'])).toEqual([3, 4]);
  });
});
