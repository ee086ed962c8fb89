import { type Columns, quickFilter } from '../mapping/columns.ts';
import { allOf, type Part } from '../mapping/filter-parts.ts';
import type { BlockRows } from '../reading/read-rows.ts';
import { autoFilterFn, FILTER_FNS, type FilterFnName, RANGE_FNS } from './filter-fns.ts';

/** The state of a table that says which rows it shows. */
export interface TableState {
  readonly pagination: { readonly pageIndex: number; readonly pageSize: number };
  readonly sorting?: readonly { readonly id: string; readonly desc: boolean }[];
  readonly columnFilters?: readonly { readonly id: string; readonly value?: unknown }[];
  /** Looked for in all text attributes, in any letter case. */
  readonly globalFilter?: unknown;
}

/** The filter functions of columns, by their names. */
export type FilterFns = Readonly<Record<string, FilterFnName | undefined>>;

/** The filter of a state. */
export function tableFilter(columns: Columns, state: TableState, filterFns: FilterFns): Part {
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

/** The page that a block is. */
export function pageOf<Item>(block: BlockRows, pageSize: number): TablePage<Item> {
  const { rows, totalNumber, hasNext } = block;
  return {
    rows: rows as Item[],
    rowCount: totalNumber,
    pageCount: totalNumber === null ? -1 : Math.ceil(totalNumber / pageSize),
    hasNext,
  };
}
