export { ChangingListError } from './errors/changing-list-error.ts';
export { MappingError, type Unmappable } from './errors/mapping-error.ts';
export { ReadOnlyError } from './errors/read-only-error.ts';
export { RowError } from './errors/row-error.ts';
export type { GridClient, Row } from './model/client.ts';
export { rowFilterOf, rowIdOf } from './model/row-id.ts';
export {
  type ColumnValue,
  columnValues,
  type ColumnValuesQuery,
  type FacetsClient,
} from './reading/column-values.ts';
export type {
  ChangeListener,
  GridChange,
  GridWatchOptions,
  WatchShown,
} from './reading/shown-list.ts';
export type { SourceOptions } from './reading/source.ts';
export type { WatchResource } from './reading/sources.ts';
