import { Lists, type Snapshot, type WholeListStatements } from '@proj/engine/database';

import type { ListProgress } from '../connection/reader-protocol.ts';
import type { Session } from './session.ts';

export interface ListReading {
  readonly session: Session;
  readonly snapshot: Snapshot;
  readonly send: (progress: ListProgress) => Promise<void>;
}

/** Reads a whole list in one snapshot, at the speed of its reader. */
export async function sendList(list: WholeListStatements, reading: ListReading): Promise<void> {
  const { session, snapshot, send } = reading;
  const sink: Lists.ListSink = {
    begin: ({ total, misfit }) =>
      send({ total, versioned: session.isVersioned(list.relations), misfit }),
    write: (lines) => send({ lines }),
  };
  await Lists.readList(snapshot, { list, sink });
}
