import type { Columns } from '../mapping/columns.ts';
import { sortOf } from '../mapping/sort.ts';
import type { GridClient, Row } from '../model/client.ts';
import type { WatchShown } from '../reading/shown-list.ts';
import { GridSource, type SourceOptions, type TextOptions } from '../reading/source.ts';
import { muiFilter, type MuiFilterModel } from './filter.ts';

/** What the data source of MUI X takes. */
export interface MuiOptions extends SourceOptions, TextOptions {
  /**
   * Attributes with a time whose columns are of the type `date`, not `dateTime`: their conditions
   * are about days.
   *
   * @default none
   */
  readonly dayColumns?: readonly string[];
}

/** As much of `GridGetRowsParams` as is used. */
export interface MuiRowsParams {
  readonly sortModel: readonly {
    readonly field: string;
    readonly sort: 'asc' | 'desc' | null | undefined;
  }[];
  readonly filterModel: MuiFilterModel;
  readonly start: number | string;
  /** The index of the last row, which is among those wanted. */
  readonly end: number;
  /** The grid's page; with lazy loading it stays the first one. */
  readonly paginationModel?: { readonly page: number; readonly pageSize: number };
  /** Of the grids that need a licence: refused, as are aggregates. */
  readonly groupFields?: readonly string[];
  readonly aggregationModel?: object;
}

/** As much of `GridGetRowsResponse` as is given. */
export interface MuiRows {
  readonly rows: Row[];
  /** −1: not known. */
  readonly rowCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean };
}

/** A `dataSource` for MUI X Data Grid, with its `getRowId`. */
export interface MuiDataSource {
  /**
   * @throws {MappingError} where a filter or an order cannot be mapped; the grid gives it to
   *   `onDataSourceError`.
   * @throws {DynamicQueryError} as the client.
   */
  getRows(params: MuiRowsParams): Promise<MuiRows>;
  /** For the grid's property of this name: the text of the model's key. */
  readonly getRowId: (row: Row) => string;
  /**
   * Calls back when the rows that were read last are others by now: read them again
   * (`apiRef.current.dataSource.fetchRows()`, with its cache cleared), or offer to. It returns what
   * ends it.
   */
  readonly watch: WatchShown;
}

/** A data source for MUI X Data Grid (`dataSource`). */
export function muiDataSource(client: GridClient, options: MuiOptions): MuiDataSource {
  const source = new GridSource('MUI X Data Grid', client, options);
  const { dayColumns = [] } = options;
  return {
    getRowId: (row) => source.rowId(row),
    watch: (listener, watching) => source.watch(listener, watching),
    getRows: async ({ sortModel, filterModel, start, end, ...more }) => {
      const named = [...sortModel, ...filterModel.items];
      const columns: Columns = await source.columns(named.map(({ field }) => field));
      if (typeof start !== 'number')
        columns.refuse('cursor', 'rows are counted', 'pages, or lazy loading by index');
      const { groupFields = [], aggregationModel = {}, paginationModel: shown } = more;
      if (groupFields.length + Object.keys(aggregationModel).length > 0)
        columns.refuse(
          'row grouping and aggregation',
          'the data source is one of the free grid, which has neither',
          'rows as they are, or `client.groups`',
        );
      const terms = sortModel.filter(({ sort }) => sort === 'asc' || sort === 'desc');
      const block = await source.show({
        filter: muiFilter(columns, filterModel, dayColumns),
        sort: sortOf(
          columns,
          terms.map(({ field, sort }) => ({ column: field, descending: sort === 'desc' })),
        ),
        start,
        end: end + 1,
        isBlock: shown !== undefined && start !== shown.page * shown.pageSize,
      });
      const { rows, totalNumber, hasNext } = block;
      return { rows, rowCount: totalNumber ?? -1, pageInfo: { hasNextPage: hasNext } };
    },
  };
}
