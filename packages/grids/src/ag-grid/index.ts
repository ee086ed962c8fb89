export type { AgColumnDef, AgGridApi } from './column.ts';
export { infiniteDatasource, serverSideDatasource } from './datasource.ts';
export type {
  AgDatasource,
  InfiniteRowsParams,
  RowIdParams,
  ServerSideRowsParams,
} from './datasource.ts';
export type { AgColumnRef, AgGrouping } from './grouping.ts';
export type { AgGridOptions, ServerSideOptions } from './options.ts';
export type { AgFilterParams } from './filter-model.ts';
export { setFilterValues } from './set-filter-values.ts';
export type { SetFilterOptions, SetFilterParams } from './set-filter-values.ts';
