import {
  Deadlines,
  Lists,
  Reads,
  type Statement,
  type WholeListStatements,
} from '@proj/engine/database';

import type { Connection, Row } from '../connection/connection.ts';
import { recordEncoder } from '../values/encode.ts';
import { toQueryError } from '../connection/errors.ts';
import { type Session, versionedRelations } from './read-page.ts';
import { readCount } from './snapshot.ts';
import { endTransaction } from '../versions/snapshot-versions.ts';

/** A list, where it goes, and until when. */
export interface ListReading {
  readonly list: WholeListStatements;
  readonly sink: Lists.ListSink;
  readonly call: Lists.ListCall;
}

/** Reads a whole list as it comes from the server. What has begun is not tried again. */
export async function readList(session: Session, reading: ListReading): Promise<void> {
  const { list, call } = reading;
  const { connection } = session;
  await waitForSlowCaller(connection, call);
  const read = (sink: Lists.ListSink): Promise<void> =>
    list.countedRecords === undefined
      ? readInSnapshot(session, { ...reading, sink })
      : readCounted(connection, list.countedRecords, { ...reading, sink });
  await Lists.readListOnce(reading.sink, read, toQueryError);
}

/** The server would close a connection whose caller reads slowly: after a minute by default. */
async function waitForSlowCaller(connection: Connection, call: Lists.ListCall): Promise<void> {
  const seconds = Math.ceil(Deadlines.remainingMs(call) / 1000);
  await connection.command(`set session net_write_timeout = ${seconds}`);
}

async function readInSnapshot(session: Session, { list, sink }: ListReading): Promise<void> {
  const { connection, versions } = session;
  const { total, version } = await versions.begin(connection, {
    work: async () => Reads.unversioned({ total: await readCount(connection, list.count) }),
    relations: versionedRelations(session, list),
    lock: list.lock,
  });
  try {
    const misfit = list.misfit && (await readCount(connection, list.misfit));
    await sink.begin({ total, version, misfit });
    const encode = recordEncoder(list.fields);
    const writer = new Lists.LineWriter(sink);
    await connection.rows(list.records, (row) => writer.add(encode(row)));
    await writer.end();
  } finally {
    await endTransaction(connection);
  }
}

/** One statement reads the records and counts them, where two would see two states. */
async function readCounted(
  connection: Connection,
  records: Statement,
  { list, sink }: ListReading,
): Promise<void> {
  const encode = recordEncoder(list.fields);
  const writer = new Lists.CountedLineWriter(sink);
  const take = (row: Row): Promise<void> | undefined =>
    writer.add(encode(row), BigInt(String(row.at(-1))));
  await connection.rows(records, take);
  await writer.end();
}
