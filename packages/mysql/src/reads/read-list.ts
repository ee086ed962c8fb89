import {
  Deadlines,
  Lists,
  type ReadCall,
  Reads,
  type Snapshot,
  type Statement,
  type WholeListStatements,
} from '@proj/engine/database';

import { recordEncoder } from '../values/encode.ts';
import { toQueryError } from '../connection/errors.ts';
import { readCount, type Session, versionedRelations } from './read-page.ts';
import { endTransaction } from '../versions/snapshot-versions.ts';

export interface ListReading {
  readonly list: WholeListStatements;
  readonly sink: Lists.ListSink;
  readonly call: ReadCall;
}

export async function readList(session: Session, reading: ListReading): Promise<void> {
  const { list, call } = reading;
  const { connection } = session;
  // The server closes a connection whose caller reads slowly: after a minute by default.
  const seconds = Math.ceil(Deadlines.remainingMs(call) / 1000);
  await connection.command(`set session net_write_timeout = ${seconds}`);
  await Lists.readListOnce(
    reading.sink,
    (sink) => readRecords(session, { list, sink }),
    toQueryError,
  );
}

async function readRecords(
  session: Session,
  { list, sink }: Pick<ListReading, 'list' | 'sink'>,
): Promise<void> {
  const { connection, versions } = session;
  const count = (statement: Statement): Promise<bigint> => readCount(connection, statement);
  const read = (seen: Pick<Snapshot, 'count' | 'version'>): Promise<void> =>
    Lists.readList(
      { ...seen, each: (records, take) => connection.rows(records, take) },
      { list, sink, textOf: recordEncoder(list.fields) },
    );
  if (list.countedRecords !== undefined) return read({ count, version: async () => undefined });
  // Its first statement begins the snapshot.
  const { total, version } = await versions.begin(connection, {
    work: async () => Reads.unversioned({ total: await count(list.count) }),
    relations: versionedRelations(session, list),
    lock: list.lock,
  });
  try {
    const counted = async (one: Statement): Promise<bigint> =>
      one === list.count ? total : count(one);
    await read({ count: counted, version: async () => version });
  } finally {
    await endTransaction(connection);
  }
}
