import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { performance } from 'node:perf_hooks';

import { fromNearerEnd } from '../nearer-end.ts';
import type {
  ListPage,
  ListStatements,
  PageRows,
  RowsRead,
  RowsStatement,
  Window,
} from '../source.ts';
import { fill, type Statement } from '../statement.ts';

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
  list: ListStatements,
  window: Window,
): SnapshotPage {
  if (window.offset <= SHALLOW) return rowsFirst(connection, list, window);
  const started = performance.now();
  const total = readCount(connection, list.count);
  return behindTotal(connection, { list, window }, { total, count: performance.now() - started });
}

/**
 * Reads several pages of lists that have one total, which is counted once; of one state inside
 * {@link inSnapshot}.
 */
export function readPages(connection: Connection, pages: readonly ListPage[]): SnapshotPage[] {
  const [first] = pages;
  if (first === undefined) return [];
  const started = performance.now();
  const total = readCount(connection, first.list.count);
  const counted = { total, count: performance.now() - started };
  return pages.map((page) => behindTotal(connection, page, counted));
}

export function readRows(
  connection: Connection,
  { statement, filling }: RowsStatement,
): Omit<RowsRead, 'version'> {
  const { size: limit, ...rest } = filling;
  const [json, rows] = firstRow(connection, fill(statement, { limit, ...rest }));
  return { json: json === null ? undefined : String(json), rows: Number(rows) };
}

export function readCount(connection: Connection, count: Statement): bigint {
  return BigInt(firstRow(connection, count)[0] ?? 0);
}

function rowsFirst(
  connection: Connection,
  list: ListStatements,
  { size, offset }: Window,
): SnapshotPage {
  const started = performance.now();
  const page = readRows(connection, {
    statement: list.rows,
    filling: { size, offset },
    fields: list.fields,
    reversed: false,
    maxBytes: list.maxBytes,
  });
  const read = performance.now();
  const proven = list.shortPageProof && page.rows < size && (page.rows > 0 || offset === 0n);
  const total = proven ? offset + BigInt(page.rows) : readCount(connection, list.count);
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
  { list, window }: ListPage,
  { total, count }: Counted,
): SnapshotPage {
  const started = performance.now();
  const way = fromNearerEnd(list, window, total);
  const page = way === undefined ? { json: '[]', rows: 0 } : readRows(connection, way);
  return { ...page, total, milliseconds: { count, rows: performance.now() - started } };
}

type Cell = string | number | bigint | null;

function firstRow(connection: Connection, { sql, parameters }: Statement): readonly Cell[] {
  return connection.prepare(sql).get(...(parameters as Cell[])) as unknown as readonly Cell[];
}
