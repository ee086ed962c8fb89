import { columnValues, MappingError } from '@proj/grids';
import { infiniteDatasource, setFilterValues } from '@proj/grids/ag-grid';
import { describe, expect, it, vi } from 'vitest';

import { KINDS } from './item-databases.ts';
import { type Item, serveItems } from './items.ts';

describe.each(KINDS)('values of columns over $name', (kind) => {
  const service = serveItems(kind);

  it.each<keyof Item>(['name', 'code', 'price', 'active', 'day', 'at'])(
    'the values of the column %s are all that occur, each with its count',
    async (attribute) => {
      const { client, compare, items } = service();
      const counts = new Map<unknown, bigint>();
      for (const item of items)
        counts.set(item[attribute], (counts.get(item[attribute]) ?? 0n) + 1n);
      const values = await columnValues(client, { model: 'items', attribute });
      expect(new Map(values.map(({ value, count }) => [value, count]))).toEqual(counts);
      const inOrder = values.flatMap(({ value }) =>
        value === null ? [] : (items.find((item) => item[attribute] === value) ?? []),
      );
      const steps = inOrder.slice(1).map((item, index) => [inOrder[index], item] as const);
      for (const [before, item] of steps)
        expect(before && compare(before, item, attribute)).toBeLessThanOrEqual(0);
      const last = values.at(-1)?.value;
      expect(last === null).toBe(counts.has(null));
    },
  );

  it('a set filter of AG Grid finds the records of each value that it lists', async () => {
    const { client, items } = service();
    const values = await new Promise<(string | null)[]>((success) => {
      setFilterValues(client, { model: 'items' })({ colDef: { field: 'amount' }, success });
    });
    expect(values).toEqual(['-2', '-1', '0', '1', '2', '3', null]);
    const datasource = infiniteDatasource(client, { model: 'items' });
    for (const value of values) {
      const count = await new Promise((resolve, reject) => {
        datasource.getRows({
          startRow: 0,
          endRow: 10,
          sortModel: [],
          filterModel: { amount: { filterType: 'set', values: [value] } },
          successCallback: (_, last) => resolve(last),
          failCallback: reject,
        });
      });
      expect(count).toBe(items.filter(({ amount }) => amount === value).length);
    }
  });

  it('more values than are read are refused, so that a set filter has none', async () => {
    const { client } = service();
    const values = columnValues(client, { model: 'many', attribute: 'id' });
    await expect(values).rejects.toThrow(MappingError);
    await expect(values).rejects.toThrow('there are 1001, and at most 1000 are read');
    const onError = vi.fn<(error: unknown) => void>();
    const none = await new Promise((success) => {
      setFilterValues(client, { model: 'many', onError })({ colDef: { field: 'id' }, success });
    });
    expect(none).toEqual([]);
    expect(onError).toHaveBeenCalledOnce();
  });
});
