export { tableSource } from './table.ts';
export type { TableOptions, TablePage, TableSource, TableState } from './table.ts';
export type { FilterFnName } from './filter-fns.ts';
