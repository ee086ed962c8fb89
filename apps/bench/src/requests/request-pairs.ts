import { API_PATHS } from '@proj/contract';

import { queryBody } from '../subjects/query-body.ts';
import { COLUMNS, tableName } from '../tables/bench-database.ts';

/** A request that is sent again and again. */
export interface BenchRequest {
  readonly method: 'POST' | 'QUERY';
  /** Relative to the base URL. */
  readonly path: string;
  readonly body: string;
  /**
   * The bodies in its place, of which none is to be sent twice: the one with this number, from 0
   * on. Default: the same again and again.
   */
  readonly bodyAt?: (number: number) => string;
  /** The status of a good reply. */
  readonly status: number;
  /** Whether it names the entity tag of its own reply, so that it is answered with 304. */
  readonly holdsReply?: boolean;
}

/** Two requests that are compared: the second one is what the first one is held against. */
export interface RequestPair {
  readonly label: string;
  readonly requests: readonly [BenchRequest, BenchRequest];
  /** What their rates, or times, are to compare like. */
  readonly goal: string;
  /** Whether they need the page index of the table, for which deep pages are asked before. */
  readonly needsIndex?: boolean;
}

/** The name of the view over a table. */
export function viewName(rows: number): string {
  return `view_of_${tableName(rows)}`;
}

/** So many records are about 50 kB. */
const LONG_PAGE = { page: 1, size: 500 };

/** What is compared over a table with so many rows. */
export function requestPairs(rows: number): readonly RequestPair[] {
  const held = {
    method: 'QUERY',
    path: API_PATHS.query,
    body: queryBody(rows, LONG_PAGE),
  } as const;
  return [
    {
      label: 'a 304 beside the kept reply that it saves',
      requests: [
        { ...held, status: 304, holdsReply: true },
        { ...held, status: 200 },
      ],
      goal: 'rate at least 1.2',
    },
    {
      label: 'page 1 of a view with query_total none beside the same page with its kept total',
      requests: [viewPage(rows, { query_total: 'none' }), viewPage(rows, {})],
      goal: 'p50 at most 2',
    },
    {
      label: 'the page that holds a record beside a deep page of the same list',
      requests: [pageOfRecord(rows), deepPage(rows)],
      goal: 'p50 at most 3',
      needsIndex: true,
    },
  ];
}

const PAGE_SIZE = 10;

/** Has no divisor in common with the length of a table: all numbers below that are met, in turn. */
const STRIDE = 7919;

/** Any record; no page is sent twice before all others were. */
function pageOfRecord(rows: number): BenchRequest {
  return eachTime((number) => {
    const page = Math.floor(scattered(number, rows / PAGE_SIZE));
    const id = String(page * PAGE_SIZE + 1 + (number % PAGE_SIZE));
    return { containing: { id }, size: PAGE_SIZE };
  }, rows);
}

/** Any page of the list; most are far from both ends. */
function deepPage(rows: number): BenchRequest {
  return eachTime((number) => {
    return { page: 1 + scattered(number, rows / PAGE_SIZE), size: PAGE_SIZE };
  }, rows);
}

function scattered(number: number, count: number): number {
  return (number * STRIDE) % Math.max(1, Math.floor(count));
}

function eachTime(pageAt: (number: number) => object, rows: number): BenchRequest {
  const bodyAt = (number: number): string =>
    JSON.stringify({
      query_model: tableName(rows),
      query_attributes: COLUMNS,
      page: pageAt(number),
    });
  return { method: 'POST', path: API_PATHS.query, body: bodyAt(0), bodyAt, status: 200 };
}

function viewPage(rows: number, more: object): BenchRequest {
  const page = { page: 1, size: 10 };
  const query = { query_model: viewName(rows), query_attributes: COLUMNS, page, ...more };
  return { method: 'POST', path: API_PATHS.query, body: JSON.stringify(query), status: 200 };
}
