import {
  Lists,
  type Snapshot,
  type Statement,
  Tracing,
  type WholeListStatements,
} from '@proj/engine/database';

import type { ListProgress } from '../connection/reader-protocol.ts';
import type { Session } from './session.ts';
import { sqliteFacts } from './snapshot.ts';

/** In which snapshot a list is read, and where its progress goes. */
export interface ListReading {
  readonly session: Session;
  readonly snapshot: Snapshot;
  /** Resolves when the server has taken it. */
  readonly send: (progress: ListProgress) => Promise<void>;
}

/** Reads a whole list in one snapshot, no faster than it is taken. */
export async function sendList(list: WholeListStatements, reading: ListReading): Promise<void> {
  const { relations, count, records, countedRecords, misfit } = list;
  const { session, snapshot, send } = reading;
  const begin = (total: bigint, found?: bigint): Promise<void> =>
    send({ total, versioned: session.isVersioned(relations), misfit: found });
  const write = (lines: Lists.RecordLines): Promise<void> => send({ lines });
  if (countedRecords !== undefined) {
    const writer = new Lists.CountedLineWriter({ begin: ({ total }) => begin(total), write });
    await eachRow(session, countedRecords, ([record, total]) => writer.add(record, BigInt(total)));
    await writer.end();
    return;
  }
  await begin(await snapshot.count(count), misfit && (await snapshot.count(misfit)));
  const writer = new Lists.LineWriter({ write });
  await eachRow(session, records, ([record]) => writer.add(record));
  await writer.end();
}

/** The text of a record, and the total where the statement has it. */
type ListRow = readonly [record: string, total: string];

async function eachRow(
  session: Session,
  statement: Statement,
  take: (row: ListRow) => Promise<void> | undefined,
): Promise<void> {
  await Tracing.traceStatement(sqliteFacts(statement), async () => {
    const { sql, parameters } = statement;
    const rows = session.prepare(sql).iterate(...(parameters as bigint[]));
    for (const row of rows as Iterable<ListRow>) {
      const taken = take(row);
      if (taken !== undefined) await taken;
    }
  });
}
