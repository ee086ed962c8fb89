import { MappingError } from '@proj/grids';
import { type AgGridOptions, serverSideDatasource, setFilterValues } from '@proj/grids/ag-grid';
import type {
  AdvancedFilterModel,
  ColDef,
  FilterModel,
  GridApi,
  IMultiFilterModel,
  IServerSideGetRowsParams,
  IServerSideGetRowsRequest,
  SetFilterModel,
  SetFilterValuesFuncParams,
  TextFilterModel,
} from 'ag-grid-community';
import { expect, it, onTestFinished, vi } from 'vitest';

import { type Item, serveItems } from './items.ts';

// The enterprise module may not be used without a licence: the data source gets what that would
// give it, in the types of the grid.
const service = serveItems();

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

const isMatch = (): boolean => true;

type Loaded = Parameters<IServerSideGetRowsParams['success']>[0];

/** A grid whose columns are defined so, and the rows that it gets: `null` where loading failed. */
function gridOf(columns: Readonly<Record<string, ColDef>>, options: Partial<AgGridOptions> = {}) {
  const source = serverSideDatasource(service().client, { model: 'items', ...options });
  const api: Pick<GridApi, 'getColumnDef' | 'isModuleRegistered'> = {
    getColumnDef: (key) => (typeof key === 'string' ? (columns[key] ?? null) : null),
    isModuleRegistered: () => true,
  };
  const given = { api, parentNode: {}, context: {}, needsGrandTotal: false };
  const load = async (request: Partial<IServerSideGetRowsRequest>): Promise<Loaded | null> =>
    new Promise((resolve) => {
      const params: Partial<IServerSideGetRowsParams> = {
        ...(given as Pick<IServerSideGetRowsParams, keyof typeof given>),
        request: { ...REQUEST, ...request },
        success: resolve,
        fail: () => resolve(null),
      };
      source.getRows(params as IServerSideGetRowsParams);
    });
  return { source, load };
}

/** The ids of the rows that a filter model lets pass. */
async function idsOf(
  grid: ReturnType<typeof gridOf>,
  filterModel: FilterModel | AdvancedFilterModel,
): Promise<unknown[] | undefined> {
  const loaded = await grid.load({ filterModel });
  return loaded?.rowData.map((row: Item) => row.id);
}

/** The ids of the items that pass. */
function idsWhere(passes: (item: Item) => boolean): string[] {
  return service()
    .items.filter(passes)
    .map(({ id }) => id);
}

it.each([
  [7, 5],
  [10, 0],
  [1, 0],
  [1000, 0],
])(
  'blocks of %i rows, moved by %i, are the whole list of the server-side model',
  async (size, by) => {
    const { load } = gridOf({});
    const sortModel = [
      { colId: 'amount', sort: 'desc' as const },
      { colId: 'name', sort: 'asc' as const },
    ];
    const { items, sorted } = service();
    const rows: unknown[] = [];
    for (let start = -by; start < items.length; start += size) {
      const startRow = Math.max(start, 0);
      const loaded = await load({ startRow, endRow: start + size, sortModel });
      expect(loaded?.rowCount).toBe(items.length);
      rows.push(...(loaded?.rowData ?? []));
    }
    const terms = [
      { column: 'amount', descending: true },
      { column: 'name', descending: false },
    ] as const;
    expect(rows).toEqual(sorted(items, terms));
  },
);

it('a set filter lists NULL and the empty text as blanks, and each of its values finds its rows', async () => {
  const { client, items } = service();
  const values = await new Promise<(string | null)[]>((success) => {
    const params: Partial<SetFilterValuesFuncParams> = { colDef: { field: 'name' }, success };
    setFilterValues(client, { model: 'items' })(params as SetFilterValuesFuncParams);
  });
  const known = new Set(items.map(({ name }) => name));
  expect(known).toContain('');
  expect(known).toContain(null);
  expect(values).not.toContain('');
  expect(values.filter((value) => value === null)).toHaveLength(1);
  expect(new Set(values)).toEqual(new Set([...known].filter((name) => name !== '')));
  const grid = gridOf({ name: { filterParams: { caseSensitive: true } } });
  for (const value of values) {
    const name: SetFilterModel = { filterType: 'set', values: [value] };
    const ids = idsWhere((item) => (item.name || null) === value);
    expect(ids.length).toBeGreaterThan(0);
    expect(await idsOf(grid, { name })).toEqual(ids);
  }
  const two: SetFilterModel = { filterType: 'set', values: ['Zug', null] };
  expect(await idsOf(grid, { name: two })).toEqual(idsWhere(({ name }) => name === 'Zug' || !name));
  const none: SetFilterModel = { filterType: 'set', values: [] };
  expect(await idsOf(grid, { name: none })).toEqual([]);
});

it('each filter of a multi filter has the parameters of its own definition', async () => {
  const filters = [
    { filterParams: { caseSensitive: true } },
    { filterParams: { caseSensitive: true } },
  ];
  const grid = gridOf({ name: { filterParams: { filters } } });
  const text: TextFilterModel = { filterType: 'text', type: 'contains', filter: 'Z' };
  const set: SetFilterModel = { filterType: 'set', values: ['Zug', 'zug', 'ZUGER'] };
  const name: IMultiFilterModel = { filterType: 'multi', filterModels: [text, set] };
  expect(await idsOf(grid, { name })).toEqual(
    idsWhere((item) => item.name === 'Zug' || item.name === 'ZUGER'),
  );
  const alone: IMultiFilterModel = { filterType: 'multi', filterModels: [null, set] };
  expect(await idsOf(grid, { name: alone })).toEqual(
    idsWhere((item) => /^(zug|zuger)$/i.test(item.name ?? '')),
  );
});

it('a column shows the attribute of its field, whatever its own name is', async () => {
  const grid = gridOf({ title: { field: 'name' } });
  const title: TextFilterModel = { filterType: 'text', type: 'startsWith', filter: 'zug' };
  const sortModel = [{ colId: 'title', sort: 'asc' as const }];
  const loaded = await grid.load({ filterModel: { title }, sortModel });
  const { items, sorted } = service();
  const found = items.filter(({ name }) => name?.toLowerCase().startsWith('zug'));
  expect(loaded?.rowData).toEqual(sorted(found, [{ column: 'name', descending: false }]));
});

it('what the server-side model asks beyond rows is refused, with what to use instead', async () => {
  const onError = vi.fn<(error: unknown) => void>();
  const { load } = gridOf({ code: { filterParams: { textMatcher: isMatch } } }, { onError });
  const refused = async (request: Partial<IServerSideGetRowsRequest>): Promise<string> => {
    expect(await load(request)).toBeNull();
    expect(onError.mock.lastCall?.[0]).toBeInstanceOf(MappingError);
    return String(onError.mock.lastCall?.[0]);
  };
  expect(await refused({ pivotMode: true })).toContain('with `pivotMode` off');
  expect(await refused({ endRow: undefined })).toContain('`cacheBlockSize`');
  const advanced: AdvancedFilterModel = {
    filterType: 'text',
    colId: 'name',
    type: 'contains',
    filter: 'z',
  };
  expect(await refused({ filterModel: advanced })).toContain('`enableAdvancedFilter` off');
  const code: TextFilterModel = { filterType: 'text', type: 'contains', filter: '1' };
  expect(await refused({ filterModel: { code } })).toContain('no textMatcher');
  const own: TextFilterModel = { filterType: 'text', type: 'soundsLike', filter: 'x' };
  expect(await refused({ filterModel: { name: own } })).toContain('the condition is not known');
});

it('a data source of the server-side model that the grid has destroyed reads nothing more', async () => {
  const onError = vi.fn<(error: unknown) => void>();
  const query = vi.spyOn(service().client, 'query');
  onTestFinished(() => query.mockRestore());
  const { source, load } = gridOf({}, { onError });
  expect(await load({ startRow: 7, endRow: 9 })).toMatchObject({ rowCount: 60 });
  const asked = query.mock.calls.length;
  source.destroy();
  expect(await load({ startRow: 7, endRow: 9 })).toBeNull();
  expect(onError).not.toHaveBeenCalled();
  expect(query.mock.calls.slice(asked).every(([, options]) => options?.signal?.aborted)).toBe(true);
});
