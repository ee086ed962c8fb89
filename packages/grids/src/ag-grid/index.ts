export type { AgColumnDef, AgGridApi } from './column.ts';
export { infiniteDatasource, serverSideDatasource } from './datasource.ts';
export type {
  AgDatasource,
  AgGridOptions,
  InfiniteRowsParams,
  ServerSideRowsParams,
} from './datasource.ts';
export type { AgFilterParams } from './filter-model.ts';
export { setFilterValues } from './set-filter-values.ts';
export type { SetFilterOptions, SetFilterParams } from './set-filter-values.ts';
