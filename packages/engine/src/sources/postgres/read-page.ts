import { performance } from 'node:perf_hooks';

import type {
  QueryStatements,
  RecordPageStatement,
  RowsStatement,
} from '../../sql/query-statements.ts';
import type { Statement } from '../../sql/statement.ts';
import { boundedRows, boundedStatement } from '../bounded.ts';
import { placeOfRecord, readRecord as readRecordIn } from '../record.ts';
import { DEEP_OFFSET, readPages, singlePage } from '../snapshot.ts';
import type {
  AskedRecord,
  BoundedPage,
  BoundedRows,
  PageRows,
  QueryPage,
  ReadCall,
  RecordReading,
  RecordRows,
  RowsRead,
  Snapshot,
  Versioned,
} from '../source.ts';
import type { Row } from './connection.ts';
import type { Database } from './database.ts';
import type { StampedRead } from './feed/stamped-reads.ts';
import { type Ask, inOrder } from './running-work.ts';
import { rowsOf, rowsStatement, snapshotOf } from './snapshot.ts';

/** By what pages are read. */
export interface ReadTerms {
  /** Reads the version of the data. */
  readonly version: Statement;
  /** The read of a relation that has a version of its own at the moment. */
  readonly stamped?: StampedRead | undefined;
}

/** Pages of lists that have one total. */
export interface Batch extends ReadTerms {
  readonly pages: readonly QueryPage[];
}

/**
 * Reads a page and its total from one snapshot: in one statement, or for a deep page from that end
 * of the list which is nearer.
 */
export async function readPage(
  database: Database,
  { pages: [page], ...terms }: Batch & { readonly pages: readonly [QueryPage] },
  call: ReadCall,
): Promise<PageRows> {
  const { query, range } = page;
  const { pageWithTotal } = query;
  const isDeep = range.offset > DEEP_OFFSET && query.reversed !== undefined;
  if (isDeep || pageWithTotal === undefined)
    return singlePage(await readBatch(database, { pages: [page], ...terms }, call));
  const { stamped } = terms;
  return database.versions.of(() =>
    readPageWithTotal(database, { statement: pageWithTotal, stamped, ...page }, call),
  );
}

/** Reads several pages, whose total is counted once. */
export async function readBatch(
  database: Database,
  { pages, ...terms }: Batch,
  call: ReadCall,
): Promise<PageRows[]> {
  const [first] = pages;
  if (first === undefined) return [];
  const work = async (snapshot: Snapshot): Promise<Versioned & { readonly read: PageRows[] }> => {
    const read = await readPages(snapshot, pages);
    return { read, version: read[0]?.version };
  };
  const { read, version } = await readTogether(database, { ...terms, ...first, work }, call);
  return read.map((page) => ({ ...page, version }));
}

/** Work in one snapshot of the relation of a query. */
export interface Together<Read extends Versioned> extends ReadTerms, Pick<QueryPage, 'query'> {
  readonly work: (snapshot: Snapshot) => Promise<Read>;
}

/** Does work in one snapshot. What it returns has its version. */
export async function readTogether<Read extends Versioned>(
  database: Database,
  { query, version, stamped, work }: Together<Read>,
  call: ReadCall,
): Promise<Read> {
  const { lock } = query;
  const { read, version: seen } = await database.versions.of(async () => {
    const { found, stamp = [] } = await database.inSnapshot<Stamped<Read>>(async (ask) => {
      const snapshot = snapshotOf(ask, query.version ?? version);
      if (stamped !== undefined) return readWithStamp(ask, stamped, () => work(snapshot));
      if (lock === undefined) return { found: await work(snapshot) };
      // The next statement takes the snapshot, which a lock does not; both are sent at once.
      const locking = ask({ statement: lock, named: false });
      return { found: (await inOrder([locking, work(snapshot)]))[1] };
    }, call);
    return { read: found, version: (await stamped?.moment(stamp))?.version ?? found.version };
  });
  return { ...read, version: seen };
}

/** What was read, and the stamp of its snapshot. */
interface Stamped<Found> {
  readonly found: Found;
  readonly stamp?: Row;
}

/** Reads in the snapshot of a stamp. The three are sent at once. */
async function readWithStamp<Found>(
  ask: Ask,
  stamped: StampedRead,
  read: () => Promise<Found>,
): Promise<Stamped<Found>> {
  const [, stamp, found] = await inOrder([ask(stamped.lock), ask(stamped.stamp), read()]);
  return { found, stamp };
}

/** Reads the rows of a page in one statement. */
export function readRows(
  database: Database,
  rows: RowsStatement & Pick<ReadTerms, 'stamped'>,
  call: ReadCall,
): Promise<RowsRead> {
  return database.versions.of(async () => (await askForRows(database, rows, call)).read);
}

/** Reads a page of a list that is not counted, or only as far as a limit, in one statement. */
export function readBounded(
  database: Database,
  { page, stamped }: { readonly page: BoundedPage } & Pick<ReadTerms, 'stamped'>,
  call: ReadCall,
): Promise<BoundedRows> {
  const { query, countLimit } = page;
  const statement = boundedStatement(page, countLimit === 0 ? query.rows : query.rowsWithCount);
  return database.versions.of(async () => {
    const started = performance.now();
    const { read, row } = await askForRows(database, { ...statement, stamped }, call);
    const [, , , count] = row;
    const counted = count === null || count === undefined ? undefined : BigInt(count);
    const milliseconds = { rows: performance.now() - started, count: 0 };
    return boundedRows(page, { ...read, counted, milliseconds });
  });
}

/** Reads the page that holds a record, by several statements. */
export function readRecord(
  database: Database,
  { asked, ...terms }: ReadTerms & { readonly asked: AskedRecord },
  call: ReadCall,
): Promise<RecordReading> {
  const work = (snapshot: Snapshot): Promise<RecordReading> => readRecordIn(snapshot, asked);
  return readTogether(database, { ...terms, query: asked.query, work }, call);
}

/** The same in one statement. */
export function readRecordPage(
  database: Database,
  page: RecordPageStatement & Pick<ReadTerms, 'stamped'>,
  call: ReadCall,
): Promise<RecordRows> {
  return database.versions.of(async () => {
    const started = performance.now();
    const { read, row } = await askForRows(database, { ...page, reversed: false }, call);
    const [, , , total, rank] = row;
    const milliseconds = { rows: performance.now() - started, count: 0 };
    return { ...read, ...placeOfRecord(page, { total, rank }), milliseconds };
  });
}

interface PageWithTotal extends QueryPage, Pick<ReadTerms, 'stamped'> {
  readonly statement: NonNullable<QueryStatements['pageWithTotal']>;
}

async function readPageWithTotal(
  database: Database,
  { statement, query, range, stamped }: PageWithTotal,
  call: ReadCall,
): Promise<PageRows> {
  const started = performance.now();
  const { relation, fields, maxBytes } = query;
  const rows = { relation, statement, bindings: range, fields, reversed: false, maxBytes };
  const { read, row } = await askForRows(database, { ...rows, stamped }, call);
  const [, , , total] = row;
  const proven = range.offset + BigInt(read.rows);
  return {
    ...read,
    total: total === null || total === undefined ? proven : BigInt(total),
    milliseconds: { rows: performance.now() - started, count: 0 },
  };
}

/** The rows that a statement reads, and its answer as it came. */
async function askForRows(
  database: Database,
  { stamped, ...rows }: RowsStatement & Pick<ReadTerms, 'stamped'>,
  call: ReadCall,
): Promise<{ readonly read: RowsRead; readonly row: Row }> {
  const statement = rowsStatement(rows);
  if (stamped === undefined) {
    const row = await database.ask(statement, call);
    return { read: rowsOf(row, rows.fields), row };
  }
  const { lock, stamp } = stamped;
  const [, stampRow = [], row = []] = await database.askTogether([lock, stamp, statement], call);
  const read = rowsOf(row, rows.fields);
  const moment = await stamped.moment(stampRow);
  const seen = moment && { version: moment.version, followedTotal: moment.total(rows.condition) };
  return { read: { ...read, ...seen }, row };
}
