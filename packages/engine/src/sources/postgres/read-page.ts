import { performance } from 'node:perf_hooks';

import type { QueryStatements, RowsStatement } from '../../sql/query-statements.ts';
import type { Statement } from '../../sql/statement.ts';
import { DEEP_OFFSET, readPages, singlePage } from '../snapshot.ts';
import type { PageRows, QueryPage, ReadCall, RowsRead } from '../source.ts';
import type { Database } from './database.ts';
import { rowsOf, rowsStatement, snapshotOf } from './snapshot.ts';

/** Pages of lists that have one total. */
export interface Batch {
  readonly pages: readonly QueryPage[];
  /** Reads the version of the data. */
  readonly version: Statement;
}

/**
 * Reads a page and its total from one snapshot: in one statement, or for a deep page from that end
 * of the list which is nearer.
 */
export async function readPage(
  database: Database,
  { pages: [page], version }: Batch & { readonly pages: readonly [QueryPage] },
  call: ReadCall,
): Promise<PageRows> {
  const { query, range } = page;
  const { pageWithTotal } = query;
  const isDeep = range.offset > DEEP_OFFSET && query.reversed !== undefined;
  if (isDeep || pageWithTotal === undefined)
    return singlePage(await readBatch(database, { pages: [page], version }, call));
  return database.versions.of(() =>
    readPageWithTotal(database, { statement: pageWithTotal, ...page }, call),
  );
}

/** Reads several pages, whose total is counted once. */
export async function readBatch(
  database: Database,
  { pages, version }: Batch,
  call: ReadCall,
): Promise<PageRows[]> {
  const lock = pages[0]?.query.lock;
  const { read, version: seen } = await database.versions.of(async () => {
    const found = await database.inSnapshot(async (ask) => {
      // The next statement takes the snapshot, which a lock does not.
      if (lock !== undefined) await ask({ statement: lock, named: false });
      return readPages(snapshotOf(ask, version), pages);
    }, call);
    return { read: found, version: found[0]?.version };
  });
  return read.map((page) => ({ ...page, version: seen }));
}

/** Reads the rows of a page in one statement. */
export function readRows(
  database: Database,
  rows: RowsStatement,
  call: ReadCall,
): Promise<RowsRead> {
  return database.versions.of(async () =>
    rowsOf(await database.ask(rowsStatement(rows), call), rows.fields),
  );
}

interface PageWithTotal extends QueryPage {
  readonly statement: NonNullable<QueryStatements['pageWithTotal']>;
}

async function readPageWithTotal(
  database: Database,
  { statement, query, range }: PageWithTotal,
  call: ReadCall,
): Promise<PageRows> {
  const started = performance.now();
  const { relation, fields, maxBytes } = query;
  const rows = { relation, statement, bindings: range, fields, reversed: false, maxBytes };
  const row = await database.ask(rowsStatement(rows), call);
  const read = rowsOf(row, fields);
  const [, , , total] = row;
  const proven = range.offset + BigInt(read.rows);
  return {
    ...read,
    total: total === null || total === undefined ? proven : BigInt(total),
    milliseconds: { rows: performance.now() - started, count: 0 },
  };
}
