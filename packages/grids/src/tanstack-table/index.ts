export {
  type AggregationFnName,
  type GroupedRow,
  groupedRowModel,
  type GroupedState,
  type TableGroup,
} from './group-row.ts';
export type { TablePage, TableState } from './state.ts';
export { type TableOptions, tableSource, type TableSource } from './table.ts';
export type { FilterFnName } from './filter-fns.ts';
