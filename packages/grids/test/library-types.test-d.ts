// The compiler is the test: what each adapter gives has to go where the library takes it, without a
// cast. `ra-core` has the types of react-admin, without its icons.
import type {
  GridDataSource,
  GridFilterModel,
  GridGetRowsParams,
  GridGetRowsResponse,
  GridRowIdGetter,
} from '@mui/x-data-grid';
import { createClient, type relations, type wireTypes } from '@proj/client';
import {
  type AgFilterParams,
  type AgGridApi,
  infiniteDatasource,
  serverSideDatasource,
  setFilterValues,
} from '@proj/grids/ag-grid';
import { muiDataSource, type MuiFilterModel, type MuiRowsParams } from '@proj/grids/mui-x';
import { reactAdminProvider } from '@proj/grids/react-admin';
import { refineProvider, type RefineFilter } from '@proj/grids/refine';
import {
  type AggregationFnName,
  type FilterFnName,
  type GroupedState,
  groupedRowModel,
  tableSource,
  type TableState,
} from '@proj/grids/tanstack-table';
import type { CrudFilter, DataProvider as RefineDataProvider } from '@refinedev/core';
import { QueryClient } from '@tanstack/query-core';
import {
  type aggregationFns,
  columnGroupingFeature,
  type ColumnFiltersState,
  type ExpandedState,
  type filterFns,
  type GroupingState,
  type PaginationState,
  type SortingState,
  tableFeatures,
} from '@tanstack/table-core';
import type {
  GetRowIdParams,
  GridApi,
  IDatasource,
  IDateFilterParams,
  INumberFilterParams,
  IServerSideDatasource,
  ISetFilterParams,
  ITextFilterParams,
  SetFilterValuesFunc,
} from 'ag-grid-community';
import type { DataProvider as AdminDataProvider } from 'ra-core';
import { expectTypeOf } from 'vitest';

interface Models {
  cities: {
    id: string;
    name: string;
    population: number | null;
    readonly [wireTypes]?: { id: 'int64'; name: 'text'; population: 'int32' };
    readonly [relations]?: { country: 'countries' };
  };
  countries: {
    name: string;
    readonly [wireTypes]?: { name: 'text' };
  };
}

const client = createClient<Models>({ baseUrl: 'https://data.example.com', token: 't' });
const untyped = createClient({ baseUrl: 'https://data.example.com', token: 't' });

const infinite = infiniteDatasource(client, { model: 'cities' });
infinite satisfies IDatasource;
infinite.getRowId satisfies (params: GetRowIdParams) => string;
const serverSide = serverSideDatasource(untyped, { model: 'cities', nullKey: 'none' });
serverSide satisfies IServerSideDatasource;
serverSide.getRowId satisfies (params: GetRowIdParams) => string;
serverSideDatasource(client, { model: 'cities' }) satisfies IServerSideDatasource;

setFilterValues(client, { model: 'cities' }) satisfies SetFilterValuesFunc;
expectTypeOf<GridApi>().toExtend<AgGridApi>();
// Each parameter is one of the grid, with the same values.
type GridFilterParams = ITextFilterParams &
  ISetFilterParams &
  INumberFilterParams &
  IDateFilterParams;
expectTypeOf<GridFilterParams>().toExtend<AgFilterParams>();
expectTypeOf<keyof AgFilterParams>().toExtend<keyof GridFilterParams>();

const mui = muiDataSource(client, { model: 'cities' });
mui satisfies GridDataSource;
mui.getRowId satisfies GridRowIdGetter;
expectTypeOf<GridGetRowsParams>().toExtend<MuiRowsParams>();
expectTypeOf<GridFilterModel>().toExtend<MuiFilterModel>();
// Groups and aggregates are of the packages that need a licence.
expectTypeOf<GridGetRowsParams>().not.toHaveProperty('groupFields');
expectTypeOf<GridGetRowsParams>().not.toHaveProperty('groupKeys');
expectTypeOf<GridGetRowsParams>().not.toHaveProperty('aggregationModel');
expectTypeOf<GridGetRowsResponse>().not.toHaveProperty('aggregateRow');

reactAdminProvider(client) satisfies AdminDataProvider;

refineProvider(client) satisfies RefineDataProvider;
expectTypeOf<CrudFilter>().toExtend<RefineFilter>();

const cities = tableSource(client, {
  model: 'cities',
  attributes: ['id', 'name'],
  filterFns: { name: 'startsWith' },
});
expectTypeOf<{
  pagination: PaginationState;
  sorting: SortingState;
  columnFilters: ColumnFiltersState;
}>().toExtend<TableState>();
const page = new QueryClient().fetchQuery(
  cities.queryOptions({ pagination: { pageIndex: 0, pageSize: 10 } }),
);
expectTypeOf((await page).rows).toEqualTypeOf<Readonly<Pick<Models['cities'], 'id' | 'name'>>[]>();
const all = tableSource(client, { model: 'cities', filterFns: { name: 'startsWith' } });
expectTypeOf(all.getRowId).parameter(0).toExtend<Models['cities']>();
expectTypeOf(all.getRowId).parameter(0).not.toHaveProperty('country.name');
const related = tableSource(client, {
  model: 'cities',
  attributes: ['name', 'country.name'],
  filterFns: { 'country.name': 'startsWith' },
});
expectTypeOf(related.getRowId)
  .parameter(0)
  .toEqualTypeOf<Readonly<{ name: string; 'country.name': string | null }>>();
expectTypeOf<{
  pagination: PaginationState;
  grouping: GroupingState;
  expanded: ExpandedState;
}>().toExtend<GroupedState>();
expectTypeOf<AggregationFnName>().toExtend<keyof typeof aggregationFns>();
tableFeatures({ columnGroupingFeature, groupedRowModel: groupedRowModel() });
const [group] = (
  await related
    .groupedQueryOptions({ pagination: { pageIndex: 0, pageSize: 10 }, grouping: ['name'] })
    .queryFn({})
).rows;
expectTypeOf(group?.['country.name']).toEqualTypeOf<string | number | null | undefined>();
expectTypeOf(group?.$group?.rowCount).toEqualTypeOf<number | null | undefined>();
// @ts-expect-error -- no such attribute
tableSource(client, { model: 'cities', aggregationFns: { at: 'sum' } });
// @ts-expect-error -- no such aggregation
tableSource(client, { model: 'cities', aggregationFns: { population: 'median' } });
// @ts-expect-error -- no such attribute
tableSource(client, { model: 'cities', attributes: ['country.at'] });
// @ts-expect-error -- no such attribute
tableSource(client, { model: 'cities', filterFns: { at: 'startsWith' } });
// All of them are mapped.
expectTypeOf<Exclude<keyof typeof filterFns, FilterFnName>>().toEqualTypeOf<never>();
// @ts-expect-error -- no such model
tableSource(client, { model: 'citys' });
// @ts-expect-error -- no such attribute
tableSource(client, { model: 'cities', attributes: ['at'] });
