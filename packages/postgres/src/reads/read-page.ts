import { performance } from 'node:perf_hooks';

import {
  type Asked,
  type Found,
  type ReadCall,
  Reads,
  type RowsRead,
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

export interface ReadTerms {
  readonly version: Statement;
  /** For a relation that has a version of its own now. */
  readonly stamped?: StampedRead | undefined;
}

export interface PageReading extends ReadTerms {
  readonly page: Asked<'page'>;
}

/** In one statement; a deep page from the nearer end of the list. */
export async function readPage(
  database: Database,
  { page, ...terms }: PageReading,
  call: ReadCall,
): Promise<Found<'page'>> {
  if (isReadTogether(page)) {
    const work = (snapshot: Snapshot): Promise<Found<'page'>> =>
      Reads.readFromNearerEnd(snapshot, page);
    return readTogether(database, { ...terms, query: page.query, work }, call);
  }
  const { stamped } = terms;
  return database.versioned(async (noted) => {
    const started = performance.now();
    return Reads.timed(await readRows(database, { page, stamped }, noted), started);
  }, call);
}

type ListPage = Extract<Asked<'page'>, { readonly query: unknown }>;

function isReadTogether(page: Asked<'page'>): page is ListPage {
  if (!('query' in page)) return false;
  const { atOnce, reversed } = page.query;
  return atOnce === undefined || (Reads.isDeep(page) && reversed !== undefined);
}

export interface Together<Read extends Versioned> extends ReadTerms {
  readonly query: SnapshotTerms;
  readonly work: (snapshot: Snapshot) => Promise<Read>;
}

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
      return { found: (await inOrder([ask(lock), work(snapshot)]))[1] };
    }, noted);
    return { read: found, version: (await stamped?.moment(stamp))?.version ?? found.version };
  }, call);
  return { ...read, version: seen };
}

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

async function readRows(
  database: Database,
  { page, stamped }: Pick<PageReading, 'page' | 'stamped'>,
  call: ReadCall,
): Promise<RowsRead> {
  const isCounted = 'query' in page;
  const rows = isCounted ? Reads.pageStatement(page) : page;
  const statement = rowsStatement(rows);
  if (stamped !== undefined) {
    const { lock, stamp } = stamped;
    const [, stampRow = [], row = []] = await database.askTogether([lock, stamp, statement], call);
    const moment = await stamped.moment(stampRow);
    const seen = moment && { version: moment.version, followedTotal: await moment.total() };
    return { ...rowsOf(row, rows.fields), ...seen };
  }
  if (isCounted) return rowsOf(await database.ask(statement, call), rows.fields);
  const isQuick = rows.bindings.offset <= Reads.DEEP_OFFSET;
  const ask = (asked: SessionStatement): Promise<Row> => database.ask(asked, { ...call, isQuick });
  return rowsOf(await database.proven.read(statement, ask), rows.fields);
}
