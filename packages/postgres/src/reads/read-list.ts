import {
  Lists,
  type ReadCall,
  type Statement,
  type WholeListStatements,
} from '@proj/engine/database';

import type { Row } from '../connection/connection.ts';
import type { Database } from '../connection/database.ts';
import { explainedToCaller } from '../connection/caller-session.ts';
import { toQueryError } from '../connection/errors.ts';
import { type Ask, type AskRows, inOrder } from '../connection/running-work.ts';
import type { ReadTerms } from './read-page.ts';
import { countOf, recordOf } from './snapshot.ts';

interface ListReading extends ReadTerms {
  readonly list: WholeListStatements;
  readonly sink: Lists.ListSink;
}

/** Rows a fetch: few enough that a slow caller does not hit the statement timeout. */
const FETCHED_ROWS = 1000;

const CURSOR = 'dynamic_query_list';

/** All rows are wanted, not the first ones soon. */
const ALL_ROWS: Statement = { sql: 'set local cursor_tuple_fraction = 1', parameters: [] };

/** Uses a cursor, without retries. Fails at the end if policies changed between records. */
export async function readList(
  database: Database,
  { sink, ...reading }: ListReading,
  call: ReadCall,
): Promise<void> {
  const { countedRecords } = reading.list;
  const explained = (error: unknown): Error =>
    toQueryError(call.session === undefined ? error : explainedToCaller(error));
  const work = (ask: Ask, askRows: AskRows): Promise<void> =>
    Lists.readListOnce(
      sink,
      (noting) => readRecords({ ...reading, sink: noting }, ask, askRows),
      explained,
    );
  // A single statement takes its snapshot after its locks.
  const isAlone = countedRecords !== undefined && countedRecords.lock === undefined;
  const isolation = isAlone ? 'read committed' : 'repeatable read';
  await database.inTransaction({ work, isolation, isFinal: true }, call);
}

async function readRecords(reading: ListReading, ask: Ask, askRows: AskRows): Promise<void> {
  const { list, sink, stamped } = reading;
  // The next statement takes the snapshot, which a lock does not.
  const stamp = stamped && (await inOrder([ask(stamped.lock), ask(stamped.stamp)]))[1];
  const { lock } = list.countedRecords ?? list;
  if (stamped === undefined && lock !== undefined) await ask(lock);
  const snapshot: Parameters<typeof Lists.readList>[0] = {
    count: async (count) => countOf(await ask(count)),
    version: () => versionOf(reading, ask, stamp),
    each: (records, take) => fetchAll({ records, take }, ask, askRows),
  };
  const textOf = (row: readonly unknown[]): string => recordOf((row as Row)[0], list.fields);
  await Lists.readList(snapshot, { list, sink, textOf });
}

async function versionOf(
  { list, version, stamped }: ListReading,
  ask: Ask,
  stamp: Row | undefined,
): Promise<string | undefined> {
  const { endsWithVersion = false, cut = [] } = list.session ?? {};
  // Whether the version still holds is known only at the end.
  if (endsWithVersion || cut.length > 0) return undefined;
  const moment = stamp && (await stamped?.moment(stamp));
  if (moment !== undefined) return moment.version;
  const [read] = await ask({ ...(list.version ?? version), named: true });
  return read ?? undefined;
}

async function fetchAll(
  { records, take }: { readonly records: Statement; readonly take: Parameters<AskRows>[1] },
  ask: Ask,
  askRows: AskRows,
): Promise<void> {
  const { sql, parameters, relations } = records;
  const opened = { sql: `declare ${CURSOR} no scroll cursor for ${sql}`, parameters, relations };
  await inOrder([ask(ALL_ROWS), ask(opened)]);
  const fetch = { sql: `fetch ${FETCHED_ROWS} from ${CURSOR}`, parameters: [], relations };
  let fetched = FETCHED_ROWS;
  while (fetched === FETCHED_ROWS) fetched = await askRows(fetch, take);
}
