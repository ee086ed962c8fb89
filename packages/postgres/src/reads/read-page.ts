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
import { type Ask, type DatabaseCall, inOrder, type Work } from '../connection/running-work.ts';
import type { SessionStatement } from '../connection/session.ts';
import { rowsOf, rowsStatement, snapshotOf } from './snapshot.ts';

export interface ReadTerms {
  readonly version: Statement;
  /** For a relation that has a version of its own now. */
  readonly stamped?: StampedRead | undefined;
}

/** In one statement; a deep page from the nearer end of the list. */
export async function readPage(
  database: Database,
  { page, ...terms }: ReadTerms & { readonly page: Asked<'page'> },
  call: ReadCall,
): Promise<Found<'page'>> {
  if ('query' in page) {
    const { query } = page;
    if (query.atOnce === undefined || (Reads.isDeep(page) && query.reversed !== undefined)) {
      const work = (snapshot: Snapshot): Promise<Found<'page'>> =>
        Reads.readFromNearerEnd(snapshot, page);
      return readSnapshot(database, { ...terms, query, work }, call);
    }
  }
  const { stamped } = terms;
  return database.versioned(async (noted) => {
    const started = performance.now();
    return Reads.timed(await readRows(database, { page, stamped }, noted), started);
  }, call);
}

interface SnapshotReading<Read extends Versioned> extends ReadTerms {
  readonly query: SnapshotTerms;
  readonly work: (snapshot: Snapshot) => Promise<Read>;
}

export function readSnapshot<Read extends Versioned>(
  database: Database,
  { query, version, stamped, work }: SnapshotReading<Read>,
  call: ReadCall,
): Promise<Read> {
  const { lock, version: own = version } = query;
  const inOne = (ask: Ask): Promise<Read> => work(snapshotOf(ask, own));
  return readTogether(database, { lock, stamped, work: inOne }, call);
}

interface Together<Read extends Versioned> extends Pick<ReadTerms, 'stamped'> {
  readonly lock: Statement | undefined;
  readonly work: Work<Read>;
}

/** In one snapshot; of a followed relation, with the version of the stamp that is taken in it. */
export function readTogether<Read extends Versioned>(
  database: Database,
  { lock, stamped, work }: Together<Read>,
  call: DatabaseCall,
): Promise<Read> {
  return database.versioned(async (noted) => {
    const { read, stamp = [] } = await database.inSnapshot(async (ask, askRows) => {
      // A lock takes no snapshot, the next statement does; all are sent at once.
      const locks = lock === undefined ? [] : [lock];
      const first = stamped === undefined ? locks : [stamped.lock, stamped.stamp];
      const [opened, found] = await inOrder([inOrder(first.map(ask)), work(ask, askRows)]);
      return { read: found, stamp: opened[1] };
    }, noted);
    const moment = await stamped?.moment(stamp);
    return moment === undefined ? read : { ...read, version: moment.version };
  }, call);
}

async function readRows(
  database: Database,
  { page, stamped }: Pick<ReadTerms, 'stamped'> & { readonly page: Asked<'page'> },
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
