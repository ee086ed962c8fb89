export {
  muiDataSource,
  type MuiDataSource,
  type MuiOptions,
  type MuiRows,
  type MuiRowsParams,
} from './data-source.ts';
export type { MuiFilterItem, MuiFilterModel } from './filter.ts';
