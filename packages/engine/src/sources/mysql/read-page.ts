import { performance } from 'node:perf_hooks';

import { QueryFailedError } from '../../errors.ts';
import { fromNearerEnd } from '../nearer-end.ts';
import type { ListStatements, PageRows, RowsRead, RowsStatement, Window } from '../source.ts';
import { fill, type Statement, type Template } from '../statement.ts';
import type { DatabaseConnection, Row } from './database-connection.ts';
import { encodeRows } from './encode.ts';

/** How often somebody may add rows between the two statements of an empty page. */
const TRIES = 5;

/** Behind this offset, knowing the total first saves more than the second statement costs. */
const SHALLOW = 1000n;

/** Reads a page and its total from one state of the data. */
export function readPage(connection: DatabaseConnection, list: ListStatements, window: Window): Promise<PageRows> {
  if (window.offset > SHALLOW && list.reversed !== undefined) return readInSnapshot(connection, list, window);
  if (list.together === undefined) throw new Error('A list of this database has a statement that tells both.');
  return readTogether(connection, { ...list, together: list.together }, window);
}

export async function readRows(connection: DatabaseConnection, rows: RowsStatement): Promise<RowsRead> {
  const read = await execute(connection, rows.statement, rows.filling);
  const json = encodeRows(rows.reversed ? read.toReversed() : read, rows.fields);
  return { json, rows: read.length, version: undefined };
}

export async function readCount(connection: DatabaseConnection, count: Statement): Promise<bigint> {
  const [[total] = []] = await connection.execute(count);
  return BigInt(String(total));
}

/**
 * Reads a page with its total in one statement, whose rows each carry the total. A page without rows brings none, so the elements are
 * counted then: a total that does not reach the page proves by itself that the page is empty. Should it reach the page, rows were added
 * since, and the page is read again.
 */
async function readTogether(
  connection: DatabaseConnection,
  { together, count, fields }: ListStatements & { readonly together: Template },
  window: Window,
): Promise<PageRows> {
  const started = performance.now();
  for (let left = TRIES; left > 0; left--) {
    const read = await execute(connection, together, window);
    const readAt = performance.now();
    const [first] = read;
    if (first !== undefined) {
      const page = { json: encodeRows(read, fields), rows: read.length, version: undefined };
      return { ...page, total: BigInt(String(first.at(-1))), milliseconds: { rows: performance.now() - started, count: 0 } };
    }
    const total = window.offset === 0n ? 0n : await readCount(connection, count);
    if (total <= window.offset) {
      const milliseconds = { rows: readAt - started, count: performance.now() - readAt };
      return { json: '[]', rows: 0, version: undefined, total, milliseconds };
    }
  }
  throw new QueryFailedError('database_unavailable', 'Rows were added faster than the page could be read.');
}

/** The total, and then the page from that end of the list which is nearer, in one transaction that sees one state of its tables. */
async function readInSnapshot(connection: DatabaseConnection, list: ListStatements, window: Window): Promise<PageRows> {
  await connection.command('start transaction with consistent snapshot');
  try {
    const started = performance.now();
    const total = await readCount(connection, list.count);
    const counted = performance.now();
    const way = fromNearerEnd(list, window, total);
    const page = way === undefined ? { json: '[]', rows: 0, version: undefined } : await readRows(connection, way);
    return { ...page, total, milliseconds: { count: counted - started, rows: performance.now() - counted } };
  } finally {
    // One that was stopped takes no statement any more; it is rolled back where it is made fit again.
    await connection.command('commit').catch(() => undefined);
  }
}

/** The numbers are sent as texts: MySQL refuses the doubles that the driver makes of numbers. */
function execute(connection: DatabaseConnection, template: Template, { size, offset }: Window): Promise<Row[]> {
  return connection.execute(fill(template, { limit: String(size), offset: String(offset) }));
}
