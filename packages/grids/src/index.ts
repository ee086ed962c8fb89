export {
  ChangingListError,
  MappingError,
  ReadOnlyError,
  RowError,
  type Unmappable,
} from './errors.ts';
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
export type { SourceOptions, WatchResource } from './reading/source.ts';
