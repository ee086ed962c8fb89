import type { Columns } from '../mapping/columns.ts';
import { sortOf } from '../mapping/sort.ts';
import { quickFilter } from '../mapping/quick-filter.ts';
import { allOf } from '../mapping/filter-parts.ts';
import type { GridClient, Row } from '../model/client.ts';
import type { BlockRows } from '../reading/read-rows.ts';
import { GridSource, type SourceOptions } from '../reading/source.ts';
import { type AgColumn, type AgGridApi, columnOf } from './column.ts';
import { agFilter } from './filter.ts';
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

interface SortItem {
  readonly colId: string;
  readonly sort: 'asc' | 'desc';
}

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
  readonly request: {
    readonly startRow: number | undefined;
    readonly endRow: number | undefined;
    readonly sortModel: SortItem[];
    readonly filterModel: unknown;
    readonly rowGroupCols: readonly unknown[];
    readonly valueCols: readonly unknown[];
    readonly pivotMode: boolean;
  };
  success(params: { rowData: Row[]; rowCount?: number }): void;
  fail(): void;
}

/** A data source of AG Grid, with the ids of its rows. */
export interface AgDatasource<Params> {
  getRows(params: Params): void;
  /** Gives up what is being read; the grid calls it. */
  destroy(): void;
  /** For the grid's option of this name: the text of the model's key. */
  readonly getRowId: (params: { readonly data: Row }) => string;
}

/** A data source for AG Grid's infinite row model (`datasource`). */
export function infiniteDatasource(
  client: GridClient,
  options: AgGridOptions,
): AgDatasource<InfiniteRowsParams> {
  const reader = new BlockReader(client, options);
  return {
    ...reader.members,
    getRows: (params) => {
      const { startRow: start, endRow: end } = params;
      const success = (block: BlockRows): void =>
        params.successCallback(block.rows, lastRowOf(block, start));
      void reader.answer({ ...params, start, end }, success, () => params.failCallback());
    },
  };
}

/** A data source for AG Grid's server-side row model (`serverSideDatasource`). */
export function serverSideDatasource(
  client: GridClient,
  options: AgGridOptions,
): AgDatasource<ServerSideRowsParams> {
  const reader = new BlockReader(client, options);
  return {
    ...reader.members,
    getRows: (params) => {
      const { startRow: start = 0, endRow: end } = params.request;
      const success = (block: BlockRows): void => {
        const last = lastRowOf(block, start);
        params.success({ rowData: block.rows, ...(last !== undefined && { rowCount: last }) });
      };
      const { api, request } = params;
      void reader.answer({ ...request, start, end, api }, success, () => params.fail());
    },
  };
}

/** How many rows there are; `undefined` where that is not known yet. */
function lastRowOf({ rows, totalNumber, hasNext }: BlockRows, start: number): number | undefined {
  return totalNumber ?? (hasNext ? undefined : start + rows.length);
}

/** What a block is asked for with. */
interface BlockRequest {
  readonly start: number;
  readonly end: number | undefined;
  readonly api?: AgGridApi | undefined;
  readonly sortModel: readonly SortItem[];
  readonly filterModel: unknown;
  readonly rowGroupCols?: readonly unknown[];
  readonly valueCols?: readonly unknown[];
  readonly pivotMode?: boolean;
}

class BlockReader {
  readonly #source: GridSource;
  readonly #options: AgGridOptions;
  readonly #ended = new AbortController();

  constructor(client: GridClient, options: AgGridOptions) {
    this.#source = new GridSource({ name: 'AG Grid' }, client, options);
    this.#options = options;
  }

  get members(): Pick<AgDatasource<never>, 'destroy' | 'getRowId'> {
    return {
      destroy: () => this.#ended.abort(),
      getRowId: ({ data }) => this.#source.rowId(data),
    };
  }

  async answer(
    request: BlockRequest,
    success: (block: BlockRows) => void,
    fail: () => void,
  ): Promise<void> {
    const { onError = console.error } = this.#options;
    const { signal } = this.#ended;
    const block = await this.#read(request, signal).catch((error: unknown) => {
      if (!signal.aborted) onError(error);
      return null;
    });
    if (block === null) fail();
    else success(block);
  }

  async #read(request: BlockRequest, signal: AbortSignal): Promise<BlockRows> {
    const { filterParams = {}, quickFilter: text = () => '' } = this.#options;
    const column = (name: string): AgColumn => columnOf(request.api, name, filterParams);
    const ids = [
      ...Object.keys(request.filterModel ?? {}),
      ...request.sortModel.map(({ colId }) => colId),
    ];
    const names = ids.map((id) => column(id).attribute);
    const columns: Columns = await this.#source.columns(names, signal);
    const { rowGroupCols = [], valueCols = [], pivotMode = false } = request;
    if (rowGroupCols.length + valueCols.length > 0 || pivotMode)
      columns.refuse('grouping', 'records are read as they are', 'no groups, aggregates or pivots');
    if (request.end === undefined)
      columns.refuse('all rows', 'a list is read in blocks', 'the grid option `cacheBlockSize`');
    const words = text().split(/\s+/);
    return this.#source.read({
      filter: allOf([agFilter(columns, request.filterModel, column), quickFilter(columns, words)]),
      sort: sortOf(
        columns,
        request.sortModel.map(({ colId, sort }) => ({
          column: column(colId).attribute,
          descending: sort === 'desc',
        })),
      ),
      start: request.start,
      end: request.end,
      signal,
    });
  }
}
