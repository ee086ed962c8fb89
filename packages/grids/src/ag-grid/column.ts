import type { AgFilterParams } from './filter-model.ts';

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
