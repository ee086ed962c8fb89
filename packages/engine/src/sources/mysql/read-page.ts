import { performance } from 'node:perf_hooks';

import { QueryFailedError } from '../../errors.ts';
import type { PageRows, PageStatements, Statement } from '../source.ts';
import type { DatabaseConnection } from './database-connection.ts';
import { encodeRows } from './encode.ts';

/** How often somebody may add rows between the two statements of an empty page. */
const TRIES = 5;

/**
 * Reads a page with its total in one statement, whose rows each carry the total. A page without rows brings none, so the elements are
 * counted then: a total that does not reach the page proves by itself that the page is empty. Should it reach the page, rows were added
 * since, and the page is read again.
 */
export async function readPage(connection: DatabaseConnection, statements: PageStatements): Promise<PageRows> {
  const { rows, count, fields, offset } = statements;
  const started = performance.now();
  if (fields.length === 0) return countOnly(connection, count);
  for (let left = TRIES; left > 0; left--) {
    const read = await connection.execute(rows);
    const readAt = performance.now();
    const [first] = read;
    if (first !== undefined) {
      return {
        json: encodeRows(read, fields),
        total: BigInt(String(first.at(-1))),
        milliseconds: { rows: performance.now() - started, count: 0 },
      };
    }
    const [[total] = []] = offset === 0n ? [[0]] : await connection.execute(count);
    if (BigInt(String(total)) <= offset) {
      return {
        json: '[]',
        total: BigInt(String(total)),
        milliseconds: { rows: readAt - started, count: performance.now() - readAt },
      };
    }
  }
  throw new QueryFailedError('database_unavailable', 'Rows were added faster than the page could be read.');
}

/** Where nothing is selected, only the total is asked for. */
async function countOnly(connection: DatabaseConnection, count: Statement): Promise<PageRows> {
  const started = performance.now();
  const [[total] = []] = await connection.execute(count);
  return { json: '[]', total: BigInt(String(total)), milliseconds: { rows: 0, count: performance.now() - started } };
}
