import { MappingError } from '@proj/grids';
import { serverSideDatasource, type ServerSideOptions } from '@proj/grids/ag-grid';
import type {
  ColumnVO,
  IServerSideGetRowsParams,
  IServerSideGetRowsRequest,
  NumberFilterModel,
} from 'ag-grid-community';
import { describe, expect, it, vi } from 'vitest';

import { KINDS } from './item-databases.ts';
import { type Item, numberOf, serveItems } from './items.ts';

const REQUEST: IServerSideGetRowsRequest = {
  startRow: 0,
  endRow: 100,
  rowGroupCols: [],
  valueCols: [],
  pivotCols: [],
  pivotMode: false,
  groupKeys: [],
  filterModel: null,
  sortModel: [],
};

type Loaded = Parameters<IServerSideGetRowsParams['success']>[0];

const column = (field: string, aggFunc?: string): ColumnVO => ({
  id: field,
  displayName: field,
  field,
  ...(aggFunc !== undefined && { aggFunc }),
});

const atLeast = (filter: number): NumberFilterModel => ({
  filterType: 'number',
  type: 'greaterThanOrEqual',
  filter,
});

describe.each(KINDS)('row groups of AG Grid over $name', (kind) => {
  const service = serveItems(kind);

  function gridOf(options: Partial<ServerSideOptions> = {}) {
    const source = serverSideDatasource(service().client, { model: 'items', ...options });
    const load = async (request: Partial<IServerSideGetRowsRequest>): Promise<Loaded | null> =>
      new Promise((resolve) => {
        const params: Partial<IServerSideGetRowsParams> = {
          request: { ...REQUEST, ...request },
          success: resolve,
          fail: () => resolve(null),
        };
        source.getRows(params as IServerSideGetRowsParams);
      });
    return { source, load };
  }

  it('row groups have exact counts and sums, and lead level by level to their records', async () => {
    const { load } = gridOf();
    const list = {
      rowGroupCols: [column('active'), column('code')],
      valueCols: [column('id', 'count'), column('amount', 'sum'), column('price', 'max')],
      filterModel: { amount: atLeast(0) },
    };
    const found = service().items.filter(({ amount }) => Number(amount) >= 0 && amount !== null);
    const outer = await load(list);
    expect(outer?.rowCount).toBe(new Set(found.map(({ active }) => active)).size);
    const leaves: Item[] = [];
    for (const group of outer?.rowData ?? []) {
      const active = group.active as unknown;
      const inside = found.filter((item) => (item.active ?? '(Blanks)') === active);
      expect(group).toEqual({ active, ...shown(inside) });
      const inner = await load({ ...list, groupKeys: [String(active)] });
      expect(inner?.rowCount).toBe(new Set(inside.map(({ code }) => code)).size);
      for (const { code, ...values } of inner?.rowData ?? []) {
        const deep = inside.filter((item) => item.code === code);
        expect(values).toEqual(shown(deep));
        const records = await load({ ...list, groupKeys: [String(active), String(code)] });
        expect(records?.rowCount).toBe(deep.length);
        expect(records?.rowData).toEqual(deep);
        leaves.push(...(records?.rowData ?? []));
      }
    }
    expect(leaves.toSorted((one, other) => Number(one.id) - Number(other.id))).toEqual(found);
    expect(outer?.rowData.map(({ active }) => active as unknown)).toContain('(Blanks)');
  });

  it('row groups are sorted by their column and by what they show, and lie in blocks', async () => {
    const { load } = gridOf();
    const list = { rowGroupCols: [column('day')], valueCols: [column('amount', 'sum')] };
    const days = [...new Set(service().items.map(({ day }) => day))];
    const sorted = days.toSorted((one, other) => ((one ?? '') < (other ?? '') ? 1 : -1));
    for (const colId of ['day', 'ag-Grid-AutoColumn', 'ag-Grid-AutoColumn-day']) {
      const loaded: unknown[] = [];
      for (let startRow = 0; startRow < days.length; startRow += 3) {
        const sortModel = [{ colId, sort: 'desc' as const }];
        const block = await load({ ...list, sortModel, startRow, endRow: startRow + 3 });
        expect(block?.rowCount).toBe(days.length);
        loaded.push(...(block?.rowData.map(({ day }) => day as unknown) ?? []));
      }
      expect(loaded).toEqual(sorted.map((day) => day ?? '(Blanks)'));
    }
    const bySum = await load({ ...list, sortModel: [{ colId: 'amount', sort: 'asc' }] });
    const sums = bySum?.rowData.map(({ amount }) => numberOf(amount) ?? -Infinity);
    expect(sums).toEqual(sums?.toSorted((one, other) => one - other));
    expect(new Set(sums).size).toBeGreaterThan(1);
  });

  it('a term of the order that no group shows orders the records under the groups', async () => {
    const { load } = gridOf();
    const list = {
      rowGroupCols: [column('active')],
      sortModel: [
        { colId: 'active', sort: 'asc' as const },
        { colId: 'ag-Grid-AutoColumn', sort: 'asc' as const },
        { colId: 'amount', sort: 'desc' as const },
      ],
    };
    const { items, sorted } = service();
    const groups = await load(list);
    expect(groups?.rowData.map(({ active }) => active as unknown)).toEqual([
      '(Blanks)',
      false,
      true,
    ]);
    const records = await load({ ...list, groupKeys: ['(Blanks)'] });
    const inside = items.filter(({ active }) => active === null);
    expect(records?.rowData).toEqual(sorted(inside, [{ column: 'amount', descending: true }]));
  });

  it('records are grouped by a column along a relation', async () => {
    const { load } = gridOf({ model: 'parts', attributes: ['whole.code'] });
    const list = {
      rowGroupCols: [column('whole.code')],
      valueCols: [column('whole.amount', 'sum'), column('side', 'count')],
    };
    const { items } = service();
    const loaded = await load(list);
    const wholes = items.filter(({ id }) => Number(id) <= 40);
    expect(loaded?.rowCount).toBe(new Set(wholes.map(({ code }) => code)).size);
    for (const group of loaded?.rowData ?? []) {
      const code = group['whole.code'] as string;
      const inside = wholes.filter((item) => item.code === code);
      expect(group).toEqual({
        'whole.code': code,
        'whole.amount': sumOf(inside.flatMap((item) => [item, item, item])),
        side: inside.length * 3,
      });
      const records = await load({ ...list, groupKeys: [code] });
      expect(records?.rowCount).toBe(inside.length * 3);
    }
  });

  it('groups and the records under them have ids of their own', async () => {
    const { load, source } = gridOf();
    const list = { rowGroupCols: [column('active'), column('id')] };
    const ids: string[] = [];
    const outer = await load(list);
    ids.push(...(outer?.rowData.map((data) => source.getRowId({ data, level: 0 })) ?? []));
    for (const { active } of outer?.rowData ?? []) {
      const parentKeys = [String(active)];
      const inner = await load({ ...list, groupKeys: parentKeys });
      for (const data of inner?.rowData ?? []) {
        ids.push(source.getRowId({ data, level: 1, parentKeys }));
        const keys = [...parentKeys, String(data.id)];
        const [record] = (await load({ ...list, groupKeys: keys }))?.rowData ?? [];
        ids.push(source.getRowId({ data: record, level: 2, parentKeys: keys }));
        expect(ids.at(-1)).toBe(data.id);
      }
    }
    expect(ids).toHaveLength(3 + 2 * service().items.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('what groups cannot show is refused by its name, with what to use instead', async () => {
    const onError = vi.fn<(error: unknown) => void>();
    const refused = async (
      request: Partial<IServerSideGetRowsRequest>,
      options: Partial<ServerSideOptions> = {},
    ): Promise<string> => {
      expect(await gridOf({ ...options, onError }).load(request)).toBeNull();
      expect(onError.mock.lastCall?.[0]).toBeInstanceOf(MappingError);
      return String(onError.mock.lastCall?.[0]);
    };
    const rowGroupCols = [column('name')];
    expect(await refused({ rowGroupCols, pivotMode: true })).toContain('AG Grid: pivotMode: ');
    expect(await refused({ rowGroupCols, valueCols: [column('amount', 'first')] })).toBe(
      'MappingError: AG Grid: the aggFunc "first" of "amount": the service does not compute it. ' +
        'Instead: sum, avg, min, max, count.',
    );
    expect(await refused({ rowGroupCols, valueCols: [column('amount')] })).toContain('aggFunc ""');
    expect(await refused({ rowGroupCols, valueCols: [column('name', 'max')] })).toContain(
      'a field has one value in a group',
    );
    const two = [column('amount', 'min'), { ...column('amount', 'max'), id: 'amount_1' }];
    expect(await refused({ rowGroupCols, valueCols: two })).toContain('Instead: another field');
    expect(await refused({ rowGroupCols: [column('nobody')] })).toContain('no such attribute');
    expect(await refused({ rowGroupCols: [column('amount')], groupKeys: ['x'] })).toContain(
      'group of "amount"',
    );
    expect(await refused({ rowGroupCols }, { nullKey: 'Zug' })).toContain('another `nullKey`');
  });
});

/** The sum of the amounts, as it travels. */
function sumOf(items: readonly Item[]): string | null {
  const amounts = items.flatMap(({ amount }) => (amount === null ? [] : [BigInt(amount)]));
  return amounts.length > 0 ? String(amounts.reduce((sum, amount) => sum + amount, 0n)) : null;
}

/** What groups of these items show. */
function shown(items: readonly Item[]): object {
  const prices = items.map(({ price }) => price).filter((price) => price !== null);
  return {
    id: items.length,
    amount: sumOf(items),
    price: prices.length > 0 ? Math.max(...prices) : null,
  };
}
