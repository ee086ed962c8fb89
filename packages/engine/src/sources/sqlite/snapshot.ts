import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { performance } from 'node:perf_hooks';

import { fromNearerEnd } from '../../sql/nearer-end.ts';
import type { PageRows, QueryPage, RowsRead } from '../source.ts';
import type { PageRange, QueryStatements, RowsStatement } from '../../sql/query-statements.ts';
import { bind, type Statement } from '../../sql/statement.ts';

/** What a page needs of a connection. */
export interface Connection {
  readonly database: Pick<DatabaseSync, 'exec' | 'isTransaction'>;
  prepare(sql: string): Pick<StatementSync, 'get'>;
}

/**
 * What a reader can tell of a page: not the version, since only one and the same connection can
 * compare those.
 */
export type SnapshotPage = Omit<PageRows, 'version'>;

/**
 * Up to this offset the page is read before the total, which it may prove; behind it, the total
 * tells from which end to read.
 */
const SHALLOW = 1000n;

/** Reads inside one read transaction, whose snapshot no later write can change. */
export function inSnapshot<Value>(
  { database }: Pick<Connection, 'database'>,
  read: () => Value,
): Value {
  database.exec('begin');
  try {
    return read();
  } finally {
    // Some errors end the transaction by themselves.
    if (database.isTransaction) database.exec('commit');
  }
}

/** Reads a page and its total, of one state inside {@link inSnapshot}. */
export function readPage(
  connection: Connection,
  query: QueryStatements,
  range: PageRange,
): SnapshotPage {
  if (range.offset <= SHALLOW) return rowsFirst(connection, query, range);
  const started = performance.now();
  const total = readCount(connection, query.count);
  return behindTotal(connection, { query, range }, { total, count: performance.now() - started });
}

/**
 * Reads several pages of lists that have one total, which is counted once; of one state inside
 * {@link inSnapshot}.
 */
export function readBatch(connection: Connection, pages: readonly QueryPage[]): SnapshotPage[] {
  const [first] = pages;
  if (first === undefined) return [];
  const started = performance.now();
  const total = readCount(connection, first.query.count);
  const counted = { total, count: performance.now() - started };
  return pages.map((page) => behindTotal(connection, page, counted));
}

export function readRows(
  connection: Connection,
  { statement, bindings }: RowsStatement,
): Omit<RowsRead, 'version'> {
  const { size: limit, ...rest } = bindings;
  const [json, rows] = firstRow(connection, bind(statement, { limit, ...rest }));
  return { json: json === null ? undefined : String(json), rows: Number(rows) };
}

export function readCount(connection: Connection, count: Statement): bigint {
  return BigInt(firstRow(connection, count)[0] ?? 0);
}

function rowsFirst(
  connection: Connection,
  query: QueryStatements,
  { size, offset }: PageRange,
): SnapshotPage {
  const started = performance.now();
  const page = readRows(connection, {
    statement: query.rows,
    bindings: { size, offset },
    fields: query.fields,
    reversed: false,
    maxBytes: query.maxBytes,
  });
  const read = performance.now();
  const proven = query.shortPageProof && page.rows < size && (page.rows > 0 || offset === 0n);
  const total = proven ? offset + BigInt(page.rows) : readCount(connection, query.count);
  return {
    ...page,
    total,
    milliseconds: { rows: read - started, count: performance.now() - read },
  };
}

interface Counted {
  readonly total: bigint;
  /** How long the count took, in milliseconds. */
  readonly count: number;
}

function behindTotal(
  connection: Connection,
  { query, range }: QueryPage,
  { total, count }: Counted,
): SnapshotPage {
  const started = performance.now();
  const way = fromNearerEnd(query, range, total);
  const page = way === undefined ? { json: '[]', rows: 0 } : readRows(connection, way);
  return { ...page, total, milliseconds: { count, rows: performance.now() - started } };
}

type Cell = string | number | bigint | null;

function firstRow(connection: Connection, { sql, parameters }: Statement): readonly Cell[] {
  return connection.prepare(sql).get(...(parameters as Cell[])) as unknown as readonly Cell[];
}
