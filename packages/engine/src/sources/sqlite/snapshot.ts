import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { performance } from 'node:perf_hooks';

import type { PageRows, PageStatements, Statement } from '../source.ts';

/** What a page needs of a connection. */
export interface Connection {
  readonly database: Pick<DatabaseSync, 'exec' | 'isTransaction'>;
  prepare(sql: string): Pick<StatementSync, 'get'>;
}

/** Reads the total and then the rows inside one read transaction, whose snapshot no later write can change. */
export function readInOneSnapshot(connection: Connection, { rows, count, offset }: PageStatements): PageRows {
  connection.database.exec('begin');
  try {
    const started = performance.now();
    const total = BigInt(value(connection, count));
    const counted = performance.now();
    const json = offset < total ? String(value(connection, rows)) : '[]';
    return { json, total, milliseconds: { count: counted - started, rows: performance.now() - counted } };
  } finally {
    // Some errors end the transaction by themselves.
    if (connection.database.isTransaction) connection.database.exec('commit');
  }
}

function value(connection: Connection, { sql, parameters }: Statement): string | number | bigint {
  const row: unknown = connection.prepare(sql).get(...(parameters as (string | number | bigint)[]));
  return (row as readonly (string | number | bigint)[])[0] ?? '';
}
