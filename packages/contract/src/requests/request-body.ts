import type { GroupTerms, RequestedRelated } from '../aggregates.ts';
import type { Filter } from '../filter.ts';
import type { ContainingPage, NumberedPage, RecordKey } from './page.ts';
import type { QueryTotal } from './query-total.ts';
import type { CsvOptions } from '../text/csv.ts';
import type { RelatedRequest } from './related.ts';

/** One term of the order of a request. */
export interface RequestedSort {
  readonly attribute: string;
  readonly direction?: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last';
}

/** How much of the total to count. Default: `exact`. */
export type RequestedTotal = 'exact' | 'none' | { readonly upTo: number };

/** Groups of records. */
export interface RequestedGroups extends GroupTerms {
  /** Which groups to keep. Default: all. */
  readonly filter?: Filter | undefined;
}

/** A list and the size of its pages. */
interface PagedList {
  readonly model: string;
  readonly attributes: readonly string[];
  readonly size: number;
  readonly filter?: Filter | undefined;
  readonly sort?: readonly RequestedSort[] | undefined;
  readonly total?: RequestedTotal | undefined;
  readonly related?: RequestedRelated | undefined;
  /** Set for a list of groups. */
  readonly groups?: RequestedGroups | undefined;
}

/** A page by its number, or by a record on it. */
export type RequestedPage = PagedList &
  ({ readonly page: number | bigint } | { readonly containing: RecordKey });

/** A whole list as callers name its parts. */
export type RequestedList = Omit<PagedList, 'size' | 'total'>;

/** The members that say which list is read. */
interface ListBody {
  readonly query_model: string;
  readonly query_attributes: readonly string[];
  readonly query_filter?: Filter;
  readonly query_sort?: readonly RequestedSort[];
  readonly query_related?: readonly RelatedRequest[];
  readonly query_groups?: RequestedGroups['by'];
  readonly query_aggregates?: readonly object[];
  readonly query_group_filter?: Filter;
}

/** For a page, before it is written as JSON. */
export interface RequestBody extends ListBody {
  readonly page: Readonly<NumberedPage> | Readonly<ContainingPage>;
  readonly query_total?: QueryTotal;
}

/** To watch a list, before it is written as JSON. */
export interface WatchBody extends ListBody {
  readonly query_total?: QueryTotal;
  readonly watch_every_ms?: number;
}

/** For a whole list, before it is written as JSON. */
export interface ExportBody extends ListBody {
  readonly export_csv?: { readonly null?: string; readonly guard_formulas?: boolean };
}

/** As a JSON number: a bigint, as of a list's pages, would travel as a string. */
export function wholeNumber(count: number | bigint): number {
  return typeof count === 'bigint' ? Number(count) : count;
}

/** Names the parts as the wire does. */
export function requestBody(query: RequestedPage): RequestBody {
  const { total = 'exact' } = query;
  const size = wholeNumber(query.size);
  const page =
    'page' in query
      ? { page: wholeNumber(query.page), size }
      : { containing: query.containing, size };
  return {
    ...listBody(query, { page }),
    // Left out for `exact`: older servers answer such requests.
    ...(total !== 'exact' && { query_total: wireTotal(total) }),
  };
}

/** Names the parts as the wire does. */
export function watchBody(
  list: RequestedList & Pick<PagedList, 'total'>,
  everyMs?: number,
): WatchBody {
  const { total = 'exact' } = list;
  return {
    ...listBody(list, {}),
    ...(total !== 'exact' && { query_total: wireTotal(total) }),
    ...(everyMs !== undefined && { watch_every_ms: everyMs }),
  };
}

/**
 * Names the parts as the wire does.
 *
 * @param csv only where CSV is wanted
 */
export function exportBody(list: RequestedList, csv?: CsvOptions): ExportBody {
  if (csv === undefined) return listBody(list, {});
  const { null: nullText, guardFormulas } = csv;
  const wanted = {
    ...(nullText !== undefined && { null: nullText }),
    ...(guardFormulas !== undefined && { guard_formulas: guardFormulas }),
  };
  return listBody(list, { export_csv: wanted });
}

function listBody<More>(
  { model, attributes, filter, sort, related, groups }: RequestedList,
  more: More,
): ListBody & More {
  return {
    query_model: model,
    query_attributes: attributes,
    ...more,
    ...(filter && { query_filter: filter }),
    ...(sort && { query_sort: sort }),
    ...(related && { query_related: namedIn(related) }),
    ...(groups && groupMembers(groups)),
  };
}

function wireTotal(total: RequestedTotal): QueryTotal {
  return typeof total === 'string' ? total : { up_to: wholeNumber(total.upTo) };
}

function groupMembers({ by, aggregates, filter }: RequestedGroups): Partial<ListBody> {
  const named = namedIn(aggregates);
  return {
    query_groups: by,
    ...(named.length > 0 && { query_aggregates: named }),
    ...(filter && { query_group_filter: filter }),
  };
}

export function namedIn<Term extends object>(terms: Readonly<Record<string, Term>>) {
  return Object.entries(terms).map(([name, term]) => ({ name, ...term }));
}
