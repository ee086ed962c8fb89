export { muiDataSource } from './data-source.ts';
export type { MuiDataSource, MuiOptions, MuiRows, MuiRowsParams } from './data-source.ts';
export type { MuiFilterItem, MuiFilterModel } from './filter.ts';
