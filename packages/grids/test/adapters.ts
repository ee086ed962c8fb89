import type { DynamicQueryClient, RequestedTotal } from '@proj/client';
import type { Row, WatchShown } from '@proj/grids';
import { infiniteDatasource, serverSideDatasource } from '@proj/grids/ag-grid';
import { muiDataSource } from '@proj/grids/mui-x';
import { reactAdminProvider } from '@proj/grids/react-admin';
import { refineProvider } from '@proj/grids/refine';
import { tableSource } from '@proj/grids/tanstack-table';

/** What every adapter is told of its list. */
interface ListOptions {
  readonly model: string;
  readonly attributes?: readonly string[];
  readonly related?: Readonly<Record<string, Related>>;
  readonly total?: RequestedTotal;
}

interface Related {
  readonly related: string;
  readonly op: 'count' | 'max';
  readonly attribute?: string;
}

/** A block that a grid asks for, in words that all of them have. */
interface Block {
  /** A multiple of the size. */
  readonly start?: number;
  readonly size?: number;
  readonly sort?: readonly [column: string, way: 'asc' | 'desc'];
  /** A column whose values are no less. */
  readonly atLeast?: readonly [column: string, value: number];
  /** A column whose texts contain this one. */
  readonly contains?: readonly [column: string, text: string];
}

/** A list as a grid has it. */
export interface GridList {
  readonly read: (block?: Block) => Promise<{ readonly rows: readonly Row[]; total: unknown }>;
  readonly watch: WatchShown;
}

type Open = (client: DynamicQueryClient, options: ListOptions) => GridList;

function agModels({ sort, atLeast, contains }: Block) {
  return {
    sortModel: sort ? [{ colId: sort[0], sort: sort[1] }] : [],
    filterModel: {
      ...(atLeast && {
        [atLeast[0]]: { filterType: 'number', type: 'greaterThanOrEqual', filter: atLeast[1] },
      }),
      ...(contains && {
        [contains[0]]: { filterType: 'text', type: 'contains', filter: contains[1] },
      }),
    },
  } as const;
}

/** How the adapter of each grid is asked. */
export const ADAPTERS = {
  'AG Grid’s infinite rows': (client, options) => {
    const source = infiniteDatasource(client, options);
    return {
      read: async ({ start = 0, size = 10, ...block } = {}) =>
        new Promise((resolve, reject) => {
          source.getRows({
            startRow: start,
            endRow: start + size,
            ...agModels(block),
            successCallback: (rows, total) => resolve({ rows, total }),
            failCallback: () => reject(new Error('failed')),
          });
        }),
      watch: source.watch,
    };
  },
  'AG Grid’s server-side rows': (client, options) => {
    const source = serverSideDatasource(client, options);
    const groups = { rowGroupCols: [], valueCols: [], pivotCols: [], groupKeys: [] };
    return {
      read: async ({ start = 0, size = 10, ...block } = {}) =>
        new Promise((resolve, reject) => {
          const rows = { startRow: start, endRow: start + size, ...agModels(block) };
          source.getRows({
            request: { ...groups, pivotMode: false, ...rows },
            success: ({ rowData, rowCount }) => resolve({ rows: rowData, total: rowCount }),
            fail: () => reject(new Error('failed')),
          });
        }),
      watch: source.watch,
    };
  },
  'MUI X Data Grid': (client, options) => {
    const source = muiDataSource(client, options);
    return {
      read: async ({ start = 0, size = 10, sort, atLeast, contains } = {}) => {
        const items = [
          ...(atLeast ? [{ field: atLeast[0], operator: '>=', value: atLeast[1] }] : []),
          ...(contains ? [{ field: contains[0], operator: 'contains', value: contains[1] }] : []),
        ];
        const { rows, rowCount } = await source.getRows({
          sortModel: sort ? [{ field: sort[0], sort: sort[1] }] : [],
          filterModel: { items },
          paginationModel: { page: start / size, pageSize: size },
          start,
          end: start + size - 1,
        });
        return { rows, total: rowCount };
      },
      watch: source.watch,
    };
  },
  'react-admin': (client, { total = 'exact', ...list }) => {
    const provider = reactAdminProvider(client, { total, resources: { list } });
    return {
      read: async ({ start = 0, size = 10, sort, atLeast, contains } = {}) => {
        const { data, total: count } = await provider.getList<Row>('list', {
          filter: {
            ...(atLeast && { [`${atLeast[0]}_gte`]: atLeast[1] }),
            ...(contains && { [`${contains[0]}_q`]: contains[1] }),
          },
          ...(sort && { sort: { field: sort[0], order: sort[1] === 'desc' ? 'DESC' : 'ASC' } }),
          pagination: { page: start / size + 1, perPage: size },
        });
        return { rows: data, total: count };
      },
      watch: (...watching) => provider.watch('list', ...watching),
    };
  },
  Refine: (client, { total = 'exact', ...list }) => {
    const provider = refineProvider(client, { total, resources: { list } });
    return {
      read: async ({ start = 0, size = 10, sort, atLeast, contains } = {}) => {
        const filters = [
          ...(atLeast ? [{ field: atLeast[0], operator: 'gte', value: atLeast[1] }] : []),
          ...(contains ? [{ field: contains[0], operator: 'contains', value: contains[1] }] : []),
        ];
        const { data, total: count } = await provider.getList<Row>({
          resource: 'list',
          filters,
          sorters: sort ? [{ field: sort[0], order: sort[1] }] : [],
          pagination: { currentPage: start / size + 1, pageSize: size },
        });
        return { rows: data, total: count };
      },
      watch: (...watching) => provider.watch('list', ...watching),
    };
  },
  'TanStack Table': (client, options) => {
    const source = tableSource(client, options);
    return {
      read: async ({ start = 0, size = 10, sort, atLeast, contains } = {}) => {
        const state = {
          pagination: { pageIndex: start / size, pageSize: size },
          sorting: sort ? [{ id: sort[0], desc: sort[1] === 'desc' }] : [],
          columnFilters: [
            ...(atLeast ? [{ id: atLeast[0], value: [atLeast[1], undefined] }] : []),
            ...(contains ? [{ id: contains[0], value: contains[1] }] : []),
          ],
        };
        const { rows, rowCount } = await source.queryOptions(state).queryFn({});
        return { rows, total: rowCount };
      },
      watch: source.watch,
    };
  },
} as const satisfies Record<string, Open>;
