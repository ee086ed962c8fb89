import type { AttributeName, DynamicQueryClient, ModelName, OwnName, RecordOf } from '@proj/client';

import type { Columns } from '../mapping/columns.ts';
import { allOf, type Part } from '../mapping/filter-parts.ts';
import { quickFilter } from '../mapping/quick-filter.ts';
import { sortOf } from '../mapping/sort.ts';
import { GridSource, type SourceOptions, type TextOptions } from '../reading/source.ts';
import { autoFilterFn, FILTER_FNS, type FilterFnName, RANGE_FNS } from './filter-fns.ts';

const GRID = { name: 'TanStack Table', exactBy: 'the filter function `equalsStringSensitive`' };

/** The state of a table that says which rows it shows. */
export interface TableState {
  readonly pagination: { readonly pageIndex: number; readonly pageSize: number };
  readonly sorting?: readonly { readonly id: string; readonly desc: boolean }[];
  readonly columnFilters?: readonly { readonly id: string; readonly value?: unknown }[];
  /** Looked for in all text attributes, in any letter case. */
  readonly globalFilter?: unknown;
}

/** What a table takes, beside what every adapter does. */
export interface TableOptions<
  Models,
  Model extends ModelName<Models>,
  Attribute extends AttributeName<Models, Model>,
>
  extends SourceOptions, TextOptions {
  readonly model: Model;
  readonly attributes?: readonly Attribute[];
  /**
   * The `filterFn` of each column that has one, by its name.
   *
   * @default as `auto`: parts of texts, ranges of numbers and dates, equality of anything else
   */
  readonly filterFns?: Readonly<Partial<Record<NoInfer<Attribute>, FilterFnName>>>;
}

/** One page of a table. */
export interface TablePage<Item> {
  /** The table's `data`. */
  readonly rows: Item[];
  /**
   * How many rows there are; `null` where no number is exact: without a total, and past 2^53 − 1.
   */
  readonly rowCount: number | null;
  /** The table's `pageCount`; −1 where it is not known. */
  readonly pageCount: number;
  readonly hasNext: boolean;
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
  /** The table's option of this name: the text of the model's key. */
  readonly getRowId: (row: Item) => string;
}

/**
 * The rows of a table of TanStack Table, for TanStack Query. `manualPagination`, `manualSorting`
 * and `manualFiltering` have to be on.
 */
export function tableSource<
  Models extends Record<keyof Models, object>,
  const Model extends ModelName<Models>,
  const Attribute extends AttributeName<Models, Model> = OwnName<Models, Model>,
>(
  client: DynamicQueryClient<Models>,
  options: TableOptions<Models, Model, Attribute>,
): TableSource<RecordOf<Models, Model, Attribute>> {
  type Item = RecordOf<Models, Model, Attribute>;
  const { filterFns = {}, ...rest } = options;
  const source = new GridSource(GRID, client, rest);
  return {
    getRowId: (row) => source.rowId(row),
    queryOptions: (state) => ({
      queryKey: ['dynamic-query', options.model, rest.attributes ?? null, state],
      queryFn: async ({ signal }) => readTable<Item>(source, { state, filterFns, signal }),
      // The client has repeated what helps.
      retry: false,
    }),
  };
}

type FilterFns = Readonly<Record<string, FilterFnName | undefined>>;

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
  const { rows, totalNumber, hasNext } = await source.read({
    filter: tableFilter(columns, state, filterFns),
    sort: sortOf(columns, terms),
    start,
    end: start + pageSize,
    signal,
  });
  return {
    rows: rows as Item[],
    rowCount: totalNumber,
    pageCount: totalNumber === null ? -1 : Math.ceil(totalNumber / pageSize),
    hasNext,
  };
}

function tableFilter(columns: Columns, state: TableState, filterFns: FilterFns): Part {
  const { columnFilters = [], globalFilter } = state;
  const sought = isEmptyValue(globalFilter) ? [] : [String(globalFilter)];
  return allOf([
    ...columnFilters.map(({ id, value }) => columnFilter(columns, { id, value }, filterFns[id])),
    quickFilter(columns, sought),
  ]);
}

/** A filter without a value is none to the table either. */
function columnFilter(
  columns: Columns,
  { id, value }: { readonly id: string; readonly value: unknown },
  chosen: FilterFnName | undefined,
): Part {
  const name = chosen ?? autoFilterFn(columns.condition(id, 'filter'));
  if (isEmptyValue(value) || (Array.isArray(value) && isEmptyList(name, value))) return null;
  const mapped = columns.condition(id, name);
  if (Object.hasOwn(FILTER_FNS, name)) return FILTER_FNS[name](mapped, value);
  return mapped.refuse('the filter function is not known', Object.keys(FILTER_FNS).join(', '));
}

/** A range without ends is none; in a list the empty text is a value. */
function isEmptyList(name: FilterFnName, values: readonly unknown[]): boolean {
  return RANGE_FNS.includes(name) ? values.every(isEmptyValue) : values.length === 0;
}

function isEmptyValue(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
