import type { Read } from '../../engine/src/sources/read.ts';
import type { FacetStatements, KeysStatement } from '../../engine/src/sql/query-statements.ts';
import type { Statement } from '../../engine/src/sql/statement.ts';
import { statements } from './statements.ts';

/** What statements of these reads select; not every database can run every one of them. */
const ROWS: Statement = { sql: 'select 1, 1', parameters: [] };

const QUERY = statements({ rows: ROWS.sql, count: 'select 1' });
const COMMON = { relations: [], fields: [], maxBytes: 2 ** 20 };
const RANGE = { size: 10, offset: 30n };
const COUNT_BEFORE = { nulls: [false], template: ROWS };

const FACETS: FacetStatements = {
  relations: [],
  hasSnapshots: true,
  facets: [],
  read: ROWS,
  fields: [],
  ranges: undefined,
  rangeFields: [],
  lock: undefined,
  maxBytes: 2 ** 20,
};

/** The keys that a statement selects. */
export function keysOf(sql: string): KeysStatement {
  const statement = { sql, parameters: [] };
  return {
    keys: statement,
    rows: statement,
    keyBytes: 0,
    relations: [],
    lock: undefined,
    bindings: { size: 10, offset: 0n, key: [] },
    maySort: true,
  };
}

/** A read of each kind, whose statements are those above. */
export interface AskedRead {
  readonly read: Read;
  /**
   * What says how much it is expected to cost: a text of which its shape has the hash, and how many
   * rows it passes over, as a power of two; or the whole shape; undefined for that of the call.
   */
  readonly cost: { readonly text: string; readonly depth: number } | string | undefined;
}

const PAGE = { query: QUERY, range: RANGE };
const RECORD = { query: QUERY, size: 10, find: ROWS, before: COUNT_BEFORE, total: undefined };
const SELECTED = { ...COMMON, statement: ROWS, bindings: RANGE, reversed: false };

export const ASKED_READS: readonly AskedRead[] = [
  { read: { kind: 'page', asked: PAGE }, cost: { text: `page ${ROWS.sql}`, depth: 6 } },
  { read: { kind: 'pages', asked: [PAGE, PAGE] }, cost: { text: `batch ${ROWS.sql}`, depth: 7 } },
  {
    read: { kind: 'page', asked: { ...PAGE, countLimit: 500 } },
    cost: { text: `bounded 3 ${ROWS.sql}`, depth: 6 },
  },
  { read: { kind: 'page', asked: SELECTED }, cost: { text: `rows ${ROWS.sql}`, depth: 6 } },
  { read: { kind: 'record', asked: RECORD }, cost: undefined },
  { read: { kind: 'page', asked: { ...PAGE, isOfRecord: true } }, cost: 'whole relation' },
  { read: { kind: 'row', asked: ROWS }, cost: 'whole relation' },
  { read: { kind: 'facets', asked: FACETS }, cost: { text: ROWS.sql, depth: 0 } },
  { read: { kind: 'keys', asked: keysOf(ROWS.sql) }, cost: undefined },
  { read: { kind: 'sort', asked: keysOf(ROWS.sql) }, cost: undefined },
];
