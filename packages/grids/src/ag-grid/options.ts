import type { SourceOptions } from '../reading/source.ts';
import type { AgFilterParams } from './filter-model.ts';

/** What the data sources of AG Grid take. */
export interface AgGridOptions extends SourceOptions {
  /**
   * What `filterParams` say of all columns: for grids without the module `ColumnApiModule`. By it
   * the data source knows those of each column, which go before these.
   */
  readonly filterParams?: AgFilterParams;
  /**
   * The text of a quick filter: each of its words has to be in some text attribute. Have the grid
   * ask anew when it changes: `api.refreshInfiniteCache()` or `api.refreshServerSide()`.
   */
  readonly quickFilter?: () => string;
  /**
   * Called with what the grid cannot show, for it learns only that a block failed: a
   * `MappingError`, or an error of the client.
   *
   * @default console.error
   */
  readonly onError?: (error: unknown) => void;
}

/** What the data source of the server-side row model takes. */
export interface ServerSideOptions extends AgGridOptions {
  /**
   * The key of a group of NULL, since the grid takes none without a key. It is what the grid shows
   * of the group, and may be no value of a column that is grouped.
   *
   * @default '(Blanks)'
   */
  readonly nullKey?: string;
}
