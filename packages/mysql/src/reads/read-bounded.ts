import { performance } from 'node:perf_hooks';

import { type Asked, bind, type Found, Reads } from '@proj/engine/database';

import type { Connection } from '../connection/connection.ts';
import { readStatement, type Session, whileRowsAppear } from './read-page.ts';
import { encodeRead, execute } from './snapshot.ts';

/** Reads a page of a list that is not counted, or only as far as a limit. */
export function readBounded(session: Session, page: Asked<'bounded'>): Promise<Found<'bounded'>> {
  return readStatement(session, page.query, () =>
    whileRowsAppear(() => tryBounded(session.connection, page)),
  );
}

/** Undefined where the page had no rows when it was read, and had some when they were counted. */
async function tryBounded(
  connection: Connection,
  page: Asked<'bounded'>,
): Promise<Found<'bounded'> | undefined> {
  const { query, countLimit } = page;
  const statement = Reads.boundedStatement(
    page,
    countLimit === 0 ? query.rows : query.rowsWithCount,
  );
  const started = performance.now();
  const read = await execute(
    connection,
    { template: statement.statement, ...query },
    statement.bindings,
  );
  const readAt = performance.now();
  const [first] = read;
  const json = encodeRead(read, statement);
  const found = { json, rows: read.length, version: undefined };
  const milliseconds = { rows: readAt - started, count: 0 };
  if (!Reads.needsCount(page, read.length))
    return Reads.boundedRows(page, { ...found, counted: undefined, milliseconds });
  if (first !== undefined)
    return Reads.boundedRows(page, {
      ...found,
      counted: BigInt(String(first.at(-1))),
      milliseconds,
    });
  const counted = await countEmptyPage(connection, page);
  if (counted === undefined) return undefined;
  const counting = { ...milliseconds, count: performance.now() - readAt };
  return Reads.boundedRows(page, { ...found, counted, milliseconds: counting });
}

/** The count in a state in which the page is empty; undefined where it no longer is. */
async function countEmptyPage(
  connection: Connection,
  { query: { emptyPage }, range, countLimit }: Asked<'bounded'>,
): Promise<bigint | undefined> {
  if (emptyPage === undefined) throw new Error('This database has a statement for empty pages.');
  const bindings = { limit: '1', offset: String(range.offset), count: String(countLimit + 1) };
  const [[counted, row] = []] = await connection.execute(bind(emptyPage, bindings));
  return row === null ? BigInt(String(counted)) : undefined;
}
