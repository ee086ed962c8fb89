import { performance } from 'node:perf_hooks';

import { QueryFailedError } from '../../errors.ts';
import type { PageRange, QueryStatements } from '../../sql/query-statements.ts';
import { DEEP_OFFSET, readPages, singlePage } from '../snapshot.ts';
import type { PageRows, QueryPage } from '../source.ts';
import type { Connection } from './connection.ts';
import { encodeRows } from './encode.ts';
import { isSnapshotTooOld } from './errors.ts';
import { execute, readCount, snapshotOf } from './snapshot.ts';

/** How often somebody may add rows between the two statements of an empty page. */
const MAX_ATTEMPTS = 5;

/** Reads a page and its total from one state of the data. */
export async function readPage(
  connection: Connection,
  query: QueryStatements,
  range: PageRange,
): Promise<PageRows> {
  const isDeep = range.offset > DEEP_OFFSET && query.reversed !== undefined;
  return isDeep
    ? singlePage(await readBatch(connection, [{ query, range }]))
    : readPageWithTotal(connection, { query, range });
}

/**
 * Reads several pages of lists that have one total from one snapshot. A table that is emptied or
 * altered meanwhile shows nothing of itself to older snapshots; then each page is read in a
 * statement of its own.
 */
export async function readBatch(
  connection: Connection,
  pages: readonly QueryPage[],
): Promise<PageRows[]> {
  try {
    return await readInSnapshot(connection, pages);
  } catch (error) {
    if (!isSnapshotTooOld(error)) throw error;
  }
  const read: PageRows[] = [];
  for (const page of pages) read.push(await readPageWithTotal(connection, page));
  return read;
}

async function readInSnapshot(
  connection: Connection,
  pages: readonly QueryPage[],
): Promise<PageRows[]> {
  await connection.command('start transaction with consistent snapshot');
  try {
    return await readPages(snapshotOf(connection), pages);
  } finally {
    // One that was stopped takes no statement any more; stopping it rolls the transaction back.
    await connection.command('commit').catch(() => undefined);
  }
}

/**
 * Reads a page with its total in one statement, whose rows each carry the total. A page without
 * rows brings none, so the records are counted then: a total that does not reach the page proves by
 * itself that the page is empty. Should it reach the page, rows were added since, and the page is
 * read again.
 */
async function readPageWithTotal(connection: Connection, page: QueryPage): Promise<PageRows> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const read = await tryPageWithTotal(connection, page);
    if (read !== undefined) return read;
  }
  throw new QueryFailedError(
    'database_unavailable',
    'Rows were added faster than the page could be read.',
  );
}

async function tryPageWithTotal(
  connection: Connection,
  { query, range }: QueryPage,
): Promise<PageRows | undefined> {
  const { pageWithTotal, count } = query;
  if (pageWithTotal === undefined)
    throw new Error('A list of this database has a statement for rows and total.');
  const started = performance.now();
  const read = await execute(connection, { template: pageWithTotal, ...query }, range);
  const readAt = performance.now();
  const [first] = read;
  if (first !== undefined) {
    const json = encodeRows(read, query);
    const milliseconds = { rows: performance.now() - started, count: 0 };
    const total = BigInt(String(first.at(-1)));
    return { json, rows: read.length, version: undefined, total, milliseconds };
  }
  const total = range.offset === 0n ? 0n : await readCount(connection, count);
  if (total > range.offset) return undefined;
  const milliseconds = { rows: readAt - started, count: performance.now() - readAt };
  return { json: '[]', rows: 0, version: undefined, total, milliseconds };
}
