import { jsonText } from '../mapping/json-text.ts';
import type { GridClient, Row } from '../model/client.ts';
import type { BlockRows } from '../reading/read-rows.ts';
import type { WatchShown } from '../reading/shown-list.ts';
import { BlockReader, type SortItem } from './block-reader.ts';
import type { AgGridApi, AgGridOptions, ServerSideOptions } from './column.ts';
import { type AgGrouping, attributeOf } from './grouping.ts';

/** As much of `IGetRowsParams` as is used. */
export interface InfiniteRowsParams {
  readonly api?: AgGridApi;
  readonly startRow: number;
  readonly endRow: number;
  readonly sortModel: SortItem[];
  readonly filterModel: unknown;
  successCallback(rows: Row[], lastRow?: number): void;
  failCallback(): void;
}

/** As much of `IServerSideGetRowsParams` as is used. */
export interface ServerSideRowsParams {
  readonly api?: AgGridApi;
  readonly request: AgGrouping & {
    readonly startRow: number | undefined;
    readonly endRow: number | undefined;
    readonly sortModel: SortItem[];
    readonly filterModel: unknown;
  };
  success(params: { rowData: Row[]; rowCount?: number }): void;
  fail(): void;
}

/** As much of `GetRowIdParams` as is used. */
export interface RowIdParams {
  readonly data: Row;
  /** Where rows are grouped, how many groups the row lies in, and their keys. */
  readonly level?: number;
  readonly parentKeys?: readonly string[] | undefined;
}

/** A data source of AG Grid, with the ids of its rows. */
export interface AgDatasource<Params> {
  getRows(params: Params): void;
  /** Gives up what is being read; the grid calls it. */
  destroy(): void;
  /** For the grid's option of this name: a text of the model's key, or of the keys of a group. */
  readonly getRowId: (params: RowIdParams) => string;
  /**
   * Calls back when the rows that were read last, and are not grouped, are others by now: have the
   * grid ask anew (`api.refreshInfiniteCache()`, `api.refreshServerSide()`), or offer to. It ends
   * with the data source, or with what it returns.
   */
  readonly watch: WatchShown;
}

/** A data source for AG Grid's infinite row model (`datasource`). */
export function infiniteDatasource(
  client: GridClient,
  options: AgGridOptions,
): AgDatasource<InfiniteRowsParams> {
  const reader = new BlockReader(client, options);
  return {
    destroy: () => reader.destroy(),
    watch: (listener, watching) => reader.watch(listener, watching),
    getRowId: ({ data }) => reader.rowId(data),
    getRows: (params) => {
      const { startRow: start, endRow: end } = params;
      void reader.answer(
        { ...params, start, end },
        {
          success: (block) => params.successCallback(block.rows, lastRowOf(block, start)),
          fail: () => params.failCallback(),
        },
      );
    },
  };
}

/**
 * A data source for AG Grid's server-side row model (`serverSideDatasource`). Rows are grouped as
 * the grid says: it gets the groups of one level, each with what its columns' `aggFunc` says, and
 * under the last groups their records.
 */
export function serverSideDatasource(
  client: GridClient,
  options: ServerSideOptions,
): AgDatasource<ServerSideRowsParams> {
  const reader = new BlockReader(client, options);
  let groups: AgGrouping['rowGroupCols'] = [];
  return {
    destroy: () => reader.destroy(),
    watch: (listener, watching) => reader.watch(listener, watching),
    getRowId: ({ data, level = 0, parentKeys = [] }) => {
      const group = groups[level];
      return group ? groupId(parentKeys, data[attributeOf(group)]) : reader.rowId(data);
    },
    getRows: (params) => {
      const { api, request } = params;
      const { startRow: start = 0, endRow: end } = request;
      groups = request.rowGroupCols;
      void reader.answer(
        { ...request, start, end, api, grouping: request },
        {
          success: (block) => {
            const last = lastRowOf(block, start);
            params.success({ rowData: block.rows, ...(last !== undefined && { rowCount: last }) });
          },
          fail: () => params.fail(),
        },
      );
    },
  };
}

/** It differs from the key of any record but one that was chosen to be the same. */
function groupId(parentKeys: readonly string[], key: unknown): string {
  return `row-group-${jsonText([...parentKeys, key])}`;
}

/** How many rows there are; `undefined` where that is not known yet. */
function lastRowOf({ rows, totalNumber, hasNext }: BlockRows, start: number): number | undefined {
  return totalNumber ?? (hasNext ? undefined : start + rows.length);
}
