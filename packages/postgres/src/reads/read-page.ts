import { performance } from 'node:perf_hooks';

import {
  type Asked,
  type Found,
  type ReadCall,
  Reads,
  type Snapshot,
  type SnapshotTerms,
  type Statement,
  type Versioned,
} from '@proj/engine/database';

import type { Row } from '../connection/connection.ts';
import type { Database } from '../connection/database.ts';
import type { StampedRead } from './stamped-read.ts';
import { type Ask, inOrder } from '../connection/running-work.ts';
import type { SessionStatement } from '../connection/session.ts';
import { rowsOf, rowsStatement, snapshotOf } from './snapshot.ts';

/** By what pages are read. */
export interface ReadTerms {
  /** Reads the version of the data. */
  readonly version: Statement;
  /** The read of a relation that has a version of its own at the moment. */
  readonly stamped?: StampedRead | undefined;
}

/** A page, and by what it is read. */
export interface PageReading extends ReadTerms {
  readonly page: Asked<'page'>;
}

/**
 * Reads a page and its total from one snapshot: in one statement, or for a deep page from that end
 * of the list which is nearer.
 */
export async function readPage(
  database: Database,
  { page, ...terms }: PageReading,
  call: ReadCall,
): Promise<Found<'page'>> {
  const { query, range } = page;
  const { pageWithTotal } = query;
  const isDeep = range.offset > Reads.DEEP_OFFSET && query.reversed !== undefined;
  if (isDeep || pageWithTotal === undefined) {
    const work = (snapshot: Snapshot): Promise<Found<'page'>> =>
      Reads.readFromNearerEnd(snapshot, page);
    return readTogether(database, { ...terms, query, work }, call);
  }
  const { stamped } = terms;
  return database.versioned(
    (noted) => readPageWithTotal(database, { statement: pageWithTotal, stamped, ...page }, noted),
    call,
  );
}

/** Work in one snapshot of the relation of a query. */
export interface Together<Read extends Versioned> extends ReadTerms {
  readonly query: SnapshotTerms;
  readonly work: (snapshot: Snapshot) => Promise<Read>;
}

/** Does work in one snapshot. What it returns has its version. */
export async function readTogether<Read extends Versioned>(
  database: Database,
  { query, version, stamped, work }: Together<Read>,
  call: ReadCall,
): Promise<Read> {
  const { lock } = query;
  const { read, version: seen } = await database.versioned(async (noted) => {
    const { found, stamp = [] } = await database.inSnapshot<Stamped<Read>>(async (ask) => {
      const snapshot = snapshotOf(ask, query.version ?? version);
      if (stamped !== undefined) return readWithStamp(ask, stamped, () => work(snapshot));
      if (lock === undefined) return { found: await work(snapshot) };
      // The next statement takes the snapshot, which a lock does not; both are sent at once.
      const locking = ask({ statement: lock, named: false });
      return { found: (await inOrder([locking, work(snapshot)]))[1] };
    }, noted);
    return { read: found, version: (await stamped?.moment(stamp))?.version ?? found.version };
  }, call);
  return { ...read, version: seen };
}

/** What was read, and the stamp of its snapshot. */
interface Stamped<Value> {
  readonly found: Value;
  readonly stamp?: Row;
}

/** Reads in the snapshot of a stamp. The three are sent at once. */
async function readWithStamp<Value>(
  ask: Ask,
  stamped: StampedRead,
  read: () => Promise<Value>,
): Promise<Stamped<Value>> {
  const [, stamp, found] = await inOrder([ask(stamped.lock), ask(stamped.stamp), read()]);
  return { found, stamp };
}

/** Reads the rows of a page in one statement. */
export function readRows(
  database: Database,
  rows: Asked<'rows'> & Pick<ReadTerms, 'stamped'>,
  call: ReadCall,
): Promise<Found<'rows'>> {
  const { stamped, fields } = rows;
  return database.versioned(async (noted) => {
    if (stamped !== undefined) return (await askForRows(database, rows, noted)).read;
    const isQuick = rows.bindings.offset <= Reads.DEEP_OFFSET;
    const ask = (statement: SessionStatement): Promise<Row> =>
      database.ask(statement, { ...noted, isQuick });
    return rowsOf(await database.proven.read(rowsStatement(rows), ask), fields);
  }, call);
}

/** Reads a page of a list that is not counted, or only as far as a limit, in one statement. */
export function readBounded(
  database: Database,
  { page, stamped }: { readonly page: Asked<'bounded'> } & Pick<ReadTerms, 'stamped'>,
  call: ReadCall,
): Promise<Found<'bounded'>> {
  const { query, countLimit } = page;
  const statement = Reads.boundedStatement(
    page,
    countLimit === 0 ? query.rows : query.rowsWithCount,
  );
  return database.versioned(async (noted) => {
    const started = performance.now();
    const { read, row } = await askForRows(database, { ...statement, stamped }, noted);
    const [, , , count] = row;
    const counted = count === null || count === undefined ? undefined : BigInt(count);
    const milliseconds = { rows: performance.now() - started, count: 0 };
    return Reads.boundedRows(page, { ...read, counted, milliseconds });
  }, call);
}

/** Reads the page that holds a record, in one statement. */
export function readRecordPage(
  database: Database,
  page: Asked<'recordPage'> & Pick<ReadTerms, 'stamped'>,
  call: ReadCall,
): Promise<Found<'recordPage'>> {
  return database.versioned(async (noted) => {
    const started = performance.now();
    const { read, row } = await askForRows(database, { ...page, reversed: false }, noted);
    const [, , , total, rank] = row;
    const milliseconds = { rows: performance.now() - started, count: 0 };
    return { ...read, ...Reads.placeOfRecord(page, { total, rank }), milliseconds };
  }, call);
}

interface PageWithTotal extends Asked<'page'>, Pick<ReadTerms, 'stamped'> {
  readonly statement: NonNullable<Asked<'page'>['query']['pageWithTotal']>;
}

async function readPageWithTotal(
  database: Database,
  { statement, query, range, stamped }: PageWithTotal,
  call: ReadCall,
): Promise<Found<'page'>> {
  const started = performance.now();
  const { relations, fields, maxBytes } = query;
  const rows = { relations, statement, bindings: range, fields, reversed: false, maxBytes };
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
  { stamped, ...rows }: Asked<'rows'> & Pick<ReadTerms, 'stamped'>,
  call: ReadCall,
): Promise<{ readonly read: Found<'rows'>; readonly row: Row }> {
  const statement = rowsStatement(rows);
  if (stamped === undefined) {
    const row = await database.ask(statement, call);
    return { read: rowsOf(row, rows.fields), row };
  }
  const { lock, stamp } = stamped;
  const [, stampRow = [], row = []] = await database.askTogether([lock, stamp, statement], call);
  const read = rowsOf(row, rows.fields);
  const moment = await stamped.moment(stampRow);
  const seen = moment && { version: moment.version, followedTotal: await moment.total() };
  return { read: { ...read, ...seen }, row };
}
