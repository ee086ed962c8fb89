import { performance } from 'node:perf_hooks';

import { QueryFailedError } from '../../errors.ts';
import { fromNearerEnd } from '../../sql/nearer-end.ts';
import type { PageRows, QueryPage, RowsRead } from '../source.ts';
import type { PageRange, QueryStatements, RowsStatement } from '../../sql/query-statements.ts';
import { bind, type Statement, type Template } from '../../sql/statement.ts';
import type { Connection, Row } from './connection.ts';
import { encodeRows, type Encoding } from './encode.ts';
import { isSnapshotTooOld } from './errors.ts';

/** How often somebody may add rows between the two statements of an empty page. */
const TRIES = 5;

/** Behind this offset, knowing the total first saves more than the second statement costs. */
const SHALLOW = 1000n;

/**
 * By so many bytes a value may be larger in a row than in JSON, such as a number of one digit; the
 * frame of a row takes no more.
 */
const CELL_BYTES = 16;

/** Beside the rows a reply describes its columns, in less than this. */
const REPLY_BYTES = 2 ** 20;

/** Reads a page and its total from one state of the data. */
export function readPage(
  connection: Connection,
  query: QueryStatements,
  range: PageRange,
): Promise<PageRows> {
  const deep = range.offset > SHALLOW && query.reversed !== undefined;
  return deep
    ? readAlone(connection, { query, range })
    : readPageWithTotal(connection, { query, range });
}

export async function readRows(connection: Connection, rows: RowsStatement): Promise<RowsRead> {
  const read = await execute(connection, { template: rows.statement, ...rows }, rows.bindings);
  const json = encodeRows(rows.reversed ? read.toReversed() : read, rows);
  return { json, rows: read.length, version: undefined };
}

export async function readCount(connection: Connection, count: Statement): Promise<bigint> {
  const [[total] = []] = await connection.execute(count);
  return BigInt(String(total));
}

/**
 * Reads a page with its total in one statement, whose rows each carry the total. A page without
 * rows brings none, so the elements are counted then: a total that does not reach the page proves
 * by itself that the page is empty. Should it reach the page, rows were added since, and the page
 * is read again.
 */
async function readPageWithTotal(
  connection: Connection,
  { query, range }: QueryPage,
): Promise<PageRows> {
  const { pageWithTotal, count } = query;
  if (pageWithTotal === undefined)
    throw new Error('A list of this database has a statement that tells both.');
  const started = performance.now();
  for (let left = TRIES; left > 0; left--) {
    const read = await execute(connection, { template: pageWithTotal, ...query }, range);
    const readAt = performance.now();
    const [first] = read;
    if (first !== undefined) {
      const page = { json: encodeRows(read, query), rows: read.length, version: undefined };
      return {
        ...page,
        total: BigInt(String(first.at(-1))),
        milliseconds: { rows: performance.now() - started, count: 0 },
      };
    }
    const total = range.offset === 0n ? 0n : await readCount(connection, count);
    if (total <= range.offset) {
      const milliseconds = { rows: readAt - started, count: performance.now() - readAt };
      return { json: '[]', rows: 0, version: undefined, total, milliseconds };
    }
  }
  throw new QueryFailedError(
    'database_unavailable',
    'Rows were added faster than the page could be read.',
  );
}

async function readAlone(connection: Connection, page: QueryPage): Promise<PageRows> {
  const [read] = await readBatch(connection, [page]);
  if (read === undefined) throw new Error('Nothing was asked for.');
  return read;
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

/**
 * The total, and then each page from that end of its list which is nearer, in one transaction that
 * sees one state of its tables.
 */
async function readInSnapshot(
  connection: Connection,
  pages: readonly QueryPage[],
): Promise<PageRows[]> {
  const [first] = pages;
  if (first === undefined) return [];
  await connection.command('start transaction with consistent snapshot');
  try {
    const started = performance.now();
    const total = await readCount(connection, first.query.count);
    const count = performance.now() - started;
    const read: PageRows[] = [];
    for (const { query, range } of pages) {
      const begun = performance.now();
      const way = fromNearerEnd(query, range, total);
      const page =
        way === undefined
          ? { json: '[]', rows: 0, version: undefined }
          : await readRows(connection, way);
      read.push({ ...page, total, milliseconds: { count, rows: performance.now() - begun } });
    }
    return read;
  } finally {
    // One that was stopped takes no statement any more; it is rolled back where it is made fit
    // again.
    await connection.command('commit').catch(() => undefined);
  }
}

interface PageTemplate extends Encoding {
  readonly template: Template;
}

/** The numbers are sent as texts: MySQL refuses the doubles that the driver makes of numbers. */
function execute(
  connection: Connection,
  { template, fields, maxBytes }: PageTemplate,
  { size, offset }: PageRange,
): Promise<Row[]> {
  const statement = bind(template, { limit: String(size), offset: String(offset) });
  return connection.execute(
    statement,
    maxBytes + CELL_BYTES * (fields.length + 2) * size + REPLY_BYTES,
  );
}
