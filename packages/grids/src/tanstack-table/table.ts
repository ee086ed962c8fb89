import type {
  AttributeName,
  DynamicQueryClient,
  ModelName,
  NoRelated,
  OwnName,
  RecordOf,
  RelatedModels,
  RelatedTerms,
} from '@proj/client';

import { jsonText } from '../mapping/json-text.ts';
import { sortOf } from '../mapping/sort.ts';
import type { WatchShown } from '../reading/shown-list.ts';
import { GridSource, type SourceOptions, type TextOptions } from '../reading/source.ts';
import {
  type AggregationFnName,
  type GroupedRow,
  type GroupedState,
  groupOf,
} from './group-row.ts';
import { readGroupedTable } from './grouped-table.ts';
import type { FilterFnName } from './filter-fns.ts';
import { type FilterFns, pageOf, tableFilter, type TablePage, type TableState } from './state.ts';

/** What a table takes, beside what every adapter does. */
export interface TableOptions<
  Models,
  Model extends ModelName<Models>,
  Related extends RelatedTerms<Models, Model>,
  Attribute extends AttributeName<RelatedModels<Models, Model, Related>, Model>,
>
  extends Omit<SourceOptions, 'related'>, TextOptions {
  readonly model: Model;
  readonly attributes?: readonly Attribute[];
  /** As the option `related` of a query. @default none */
  readonly related?: Related;
  /**
   * The `filterFn` of each column that has one, by its name.
   *
   * @default as `auto`: parts of texts, ranges of numbers and dates, equality of anything else
   */
  readonly filterFns?: Readonly<Partial<Record<NoInfer<Attribute>, FilterFnName>>>;
  /**
   * The `aggregationFn` of each column that shows one in groups, by its name. Sums and means are
   * strings of digits, or `null` where there is no number.
   *
   * @default none
   */
  readonly aggregationFns?: Readonly<Partial<Record<NoInfer<Attribute>, AggregationFnName>>>;
}

interface QueryContext {
  readonly signal?: AbortSignal | undefined;
}

/** The rows of one table. */
export interface TableSource<Item> {
  /**
   * What `useQuery` takes for the rows that a state shows. The error is a `MappingError` where a
   * filter or an order cannot be mapped.
   */
  queryOptions(state: TableState): {
    readonly queryKey: readonly unknown[];
    readonly queryFn: (context: QueryContext) => Promise<TablePage<Item>>;
    readonly retry: false;
  };
  /**
   * The same where rows are grouped: a page of the outermost groups, with what is in those that are
   * expanded. `groupedRowModel` has the table take them as its own groups.
   */
  groupedQueryOptions(state: GroupedState): {
    readonly queryKey: readonly unknown[];
    readonly queryFn: (context: QueryContext) => Promise<TablePage<GroupedRow<Item>>>;
    readonly retry: false;
  };
  /**
   * Calls back when the rows that were read last, and are not grouped, are others by now: read them
   * again, or offer to. Use it in an effect, whose end it returns.
   */
  readonly watch: WatchShown;
  /** The table's option of this name: the text of the model's key. */
  readonly getRowId: (row: Item) => string;
  /** The table's `getRowId` where rows are grouped: a group's own id, or that of a record. */
  readonly getGroupedRowId: (row: GroupedRow<Item>) => string;
}

/**
 * The rows of a table of TanStack Table, for TanStack Query. `manualPagination`, `manualSorting`
 * and `manualFiltering` have to be on, and `sortDescFirst` off: the table would decide by the first
 * value whether a column is sorted downwards first, and again with each page.
 */
export function tableSource<
  Models extends Record<keyof Models, object>,
  const Model extends ModelName<Models>,
  const Related extends RelatedTerms<Models, Model> = NoRelated,
  const Attribute extends AttributeName<RelatedModels<Models, Model, Related>, Model> = OwnName<
    RelatedModels<Models, Model, Related>,
    Model
  >,
>(
  client: DynamicQueryClient<Models>,
  options: TableOptions<Models, Model, Related, Attribute>,
): TableSource<RecordOf<RelatedModels<Models, Model, Related>, Model, Attribute>> {
  type Item = RecordOf<RelatedModels<Models, Model, Related>, Model, Attribute>;
  const { filterFns = {}, aggregationFns = {}, ...rest } = options;
  // Tables of other options show other rows of the same state. Filters may hold bigints.
  const key = ['dynamic-query', options.model, jsonText({ ...options, signal: null })] as const;
  const source = new GridSource('TanStack Table', client, rest);
  return {
    watch: (listener, watching) => source.watch(listener, watching),
    getRowId: (row) => source.rowId(row),
    getGroupedRowId: (row) => groupOf(row)?.id ?? source.rowId(row),
    groupedQueryOptions: (state) => ({
      queryKey: [...key, 'groups', state],
      queryFn: async ({ signal }) =>
        readGroupedTable<Item>(source, { state, filterFns, aggregationFns, signal }),
      retry: false,
    }),
    queryOptions: (state) => ({
      queryKey: [...key, state],
      queryFn: async ({ signal }) => readTable<Item>(source, { state, filterFns, signal }),
      // The client has repeated what helps.
      retry: false,
    }),
  };
}

interface TableRequest extends QueryContext {
  readonly state: TableState;
  readonly filterFns: FilterFns;
}

async function readTable<Item>(
  source: GridSource,
  { state, filterFns, signal }: TableRequest,
): Promise<TablePage<Item>> {
  const { pagination, sorting = [], columnFilters = [] } = state;
  const named = [...sorting, ...columnFilters];
  const columns = await source.columns(
    named.map(({ id }) => id),
    signal,
  );
  const { pageIndex, pageSize } = pagination;
  const terms = sorting.map(({ id, desc }) => ({ column: id, descending: desc }));
  const start = pageIndex * pageSize;
  const block = await source.show({
    filter: tableFilter(columns, state, filterFns),
    sort: sortOf(columns, terms),
    start,
    end: start + pageSize,
    signal,
  });
  return pageOf<Item>(block, pageSize);
}
