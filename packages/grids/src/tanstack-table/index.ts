export { groupedRowModel } from './grouped-row-model.ts';
export type { AggregationFnName, GroupedRow, GroupedState, TableGroup } from './group-row.ts';
export type { TablePage } from './page.ts';
export type { TableState } from './state.ts';
export { type TableOptions, tableSource, type TableSource } from './table.ts';
export type { FilterFnName } from './filter-fns.ts';
