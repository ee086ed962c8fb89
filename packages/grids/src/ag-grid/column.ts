import type { SourceOptions } from '../reading/source.ts';

/** As much of the condition of one column as is read; `FilterModel` of AG Grid has these. */
export interface AgCondition {
  readonly filterType?: string;
  readonly type?: string | null;
  readonly filter?: unknown;
  readonly filterTo?: unknown;
  readonly dateFrom?: string | null;
  readonly dateTo?: string | null;
  readonly values?: readonly (string | null)[];
  readonly operator?: string;
  readonly conditions?: readonly AgCondition[];
  readonly filterModels?: readonly (AgCondition | null)[] | null;
}

/** What AG Grid's `filterParams` say of conditions, where they differ from its defaults. */
export interface AgFilterParams {
  /** As in the grid's `filterParams`: of text and set filters. @default false */
  readonly caseSensitive?: boolean;
  /** As in the grid's `filterParams`. @default false */
  readonly inRangeInclusive?: boolean;
  /** As in the grid's `filterParams`. @default false */
  readonly includeBlanksInEquals?: boolean;
  /** As in the grid's `filterParams`. @default false */
  readonly includeBlanksInNotEqual?: boolean;
  /** As in the grid's `filterParams`. @default false */
  readonly includeBlanksInLessThan?: boolean;
  /** As in the grid's `filterParams`. @default false */
  readonly includeBlanksInGreaterThan?: boolean;
  /** As in the grid's `filterParams`. @default false */
  readonly includeBlanksInRange?: boolean;
}

/** As much of `GridApi` as is used. */
export interface AgGridApi {
  getColumnDef(column: string): AgColumnDef | null | undefined;
  isModuleRegistered?(module: never): boolean;
}

/** As much of `ColDef` as is read. */
export interface AgColumnDef {
  readonly field?: string | undefined;
  readonly filterParams?: unknown;
}

/** A column, as the developer has defined it. */
export interface AgColumn {
  /** The attribute that it shows. */
  readonly attribute: string;
  readonly params: AgColumnParams;
}

/** The parameters of a filter. Of members without a type here only their presence is read. */
export interface AgColumnParams extends AgFilterParams {
  /** Of a multi filter: its filters. */
  readonly filters?: readonly ({ readonly filterParams?: unknown } | null | undefined)[];
  readonly textMatcher?: unknown;
  readonly textFormatter?: unknown;
  readonly keyCreator?: unknown;
}

/**
 * Reads the definition of a column. Its `filterParams` go before those that the adapter was given
 * for all columns. Only the latter are known where the grid is older than version 33, has no module
 * `ColumnApiModule`, or `filterParams` is a function.
 */
export function columnOf(
  api: AgGridApi | undefined,
  column: string,
  common: AgFilterParams,
): AgColumn {
  const definition = api && definesColumns(api) ? api.getColumnDef(column) : null;
  return {
    attribute: definition?.field ?? column,
    params: { ...common, ...objectOf(definition?.filterParams) },
  };
}

/** One of the filters of a multi filter. */
export function innerColumn(column: AgColumn, index: number): AgColumn {
  const own = objectOf(column.params.filters?.[index]?.filterParams);
  return { ...column, params: { ...column.params, ...own } };
}

/** Without the module the grid writes an error for each call. */
function definesColumns(api: AgGridApi): boolean {
  return api.isModuleRegistered?.('ColumnApiModule' as never) === true;
}

function objectOf(params: unknown): AgColumnParams {
  return typeof params === 'object' && params !== null ? params : {};
}

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
