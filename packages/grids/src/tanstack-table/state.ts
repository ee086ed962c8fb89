import type { Columns } from '../mapping/columns.ts';
import { allOf, type Part } from '../mapping/filter-parts.ts';
import { quickFilter } from '../mapping/quick-filter.ts';
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
