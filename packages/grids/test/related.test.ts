import { infiniteDatasource } from '@proj/grids/ag-grid';
import { muiDataSource } from '@proj/grids/mui-x';
import { reactAdminProvider } from '@proj/grids/react-admin';
import { refineProvider } from '@proj/grids/refine';
import { tableSource } from '@proj/grids/tanstack-table';
import { expect, it } from 'vitest';

import { serveItems } from './items.ts';

const service = serveItems();

const related = {
  parts_count: { related: 'parts', op: 'count' },
  last_side: { related: 'parts', op: 'max', attribute: 'side' },
} as const;

const ITEMS = { model: 'items', attributes: ['code'], related } as const;

type Row = Readonly<Record<string, unknown>>;

/** The first two of the 40 items that have parts, downwards. */
const COUNTED = [
  ['40', 3n, 'right'],
  ['39', 3n, 'right'],
  ['of', 40],
];

function counted(rows: readonly Row[], total: unknown): unknown[] {
  const cells = rows.map(({ id, parts_count, last_side }) => [id, parts_count, last_side]);
  return [...cells, ['of', total]];
}

it('AG Grid shows, filters and sorts by counts of related records', async () => {
  const block = new Promise<[Row[], number | undefined]>((resolve, reject) => {
    infiniteDatasource(service().client, { ...ITEMS, onError: reject }).getRows({
      startRow: 0,
      endRow: 2,
      filterModel: {
        parts_count: { filterType: 'number', type: 'greaterThan', filter: 2 },
        last_side: { filterType: 'text', type: 'startsWith', filter: 'R' },
      },
      sortModel: [
        { colId: 'parts_count', sort: 'desc' },
        { colId: 'id', sort: 'desc' },
      ],
      successCallback: (rows, last) => resolve([rows, last]),
      failCallback: () => {},
    });
  });
  expect(counted(...(await block))).toEqual(COUNTED);
});

it('MUI X shows, filters and sorts by counts of related records', async () => {
  const { rows, rowCount } = await muiDataSource(service().client, ITEMS).getRows({
    filterModel: { items: [{ field: 'parts_count', operator: '>', value: 2 }] },
    sortModel: [
      { field: 'parts_count', sort: 'desc' },
      { field: 'id', sort: 'desc' },
    ],
    start: 0,
    end: 1,
  });
  expect(counted(rows, rowCount)).toEqual(COUNTED);
});

it('TanStack Table shows, filters and sorts by counts of related records', async () => {
  const { queryFn } = tableSource(service().client, ITEMS).queryOptions({
    columnFilters: [{ id: 'parts_count', value: [2, 9] }],
    sorting: [
      { id: 'parts_count', desc: true },
      { id: 'id', desc: true },
    ],
    pagination: { pageIndex: 0, pageSize: 2 },
  });
  const { rows, rowCount } = await queryFn({});
  expect(counted(rows, rowCount)).toEqual(COUNTED);
});

const RESOURCES = { resources: { things: ITEMS } } as const;

it('react-admin shows, filters and sorts by counts of related records', async () => {
  const provider = reactAdminProvider(service().client, RESOURCES);
  const { data, total } = await provider.getList<Row>('things', {
    filter: { parts_count_gt: 2 },
    sort: { field: 'id', order: 'DESC' },
    pagination: { page: 1, perPage: 2 },
  });
  expect(counted(data, total)).toEqual(COUNTED);
  const least = await provider.getList<Row>('things', {
    sort: { field: 'parts_count', order: 'ASC' },
    pagination: { page: 1, perPage: 1 },
  });
  expect(least.data).toMatchObject([{ parts_count: 0n, last_side: null }]);
  expect((await provider.getOne<Row>('things', { id: '7' })).data['parts_count']).toBe(3n);
});

it('Refine shows, filters and sorts by counts of related records', async () => {
  const { data, total } = await refineProvider(service().client, RESOURCES).getList<Row>({
    resource: 'things',
    filters: [{ field: 'parts_count', operator: 'gt', value: 2 }],
    sorters: [
      { field: 'parts_count', order: 'desc' },
      { field: 'id', order: 'desc' },
    ],
    pagination: { currentPage: 1, pageSize: 2 },
  });
  expect(counted(data, total)).toEqual(COUNTED);
});

it('names a count that the service does not have', async () => {
  const wrong = { model: 'items', related: { n: { related: 'visits', op: 'count' } } } as const;
  const source = muiDataSource(service().client, wrong);
  const all = { filterModel: { items: [] }, sortModel: [], start: 0, end: 1 };
  await expect(source.getRows(all)).rejects.toThrow('"visits"');
});
