export type {
  AgColumnDef,
  AgFilterParams,
  AgGridApi,
  AgGridOptions,
  ServerSideOptions,
} from './column.ts';
export {
  type AgDatasource,
  infiniteDatasource,
  type InfiniteRowsParams,
  type RowIdParams,
  serverSideDatasource,
  type ServerSideRowsParams,
} from './datasource.ts';
export type { AgColumnRef, AgGrouping } from './grouping.ts';
export {
  type SetFilterOptions,
  type SetFilterParams,
  setFilterValues,
} from './set-filter-values.ts';
