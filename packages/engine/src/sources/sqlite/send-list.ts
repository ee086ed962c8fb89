import type { WholeListStatements } from '../../sql/query-statements.ts';
import { traceStatement } from '../../tracing.ts';
import type { Snapshot } from '../source.ts';
import { LineWriter } from '../whole-list.ts';
import type { ListProgress } from './reader-protocol.ts';
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
export async function sendList(
  { relation, count, records: statement }: WholeListStatements,
  { session, snapshot, send }: ListReading,
): Promise<void> {
  const total = await snapshot.count(count);
  await send({ total, versioned: session.isVersioned(relation) });
  const writer = new LineWriter({ write: (lines) => send({ lines }) });
  await traceStatement(sqliteFacts(statement), async () => {
    const { sql, parameters } = statement;
    const rows = session.prepare(sql).iterate(...(parameters as bigint[]));
    for (const [record] of rows as Iterable<[string]>) {
      const taken = writer.add(record);
      if (taken !== undefined) await taken;
    }
  });
  await writer.end();
}
