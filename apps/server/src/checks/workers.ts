import { mostConnections } from '@proj/engine';

import { databaseKind } from '../settings/database-kinds.ts';
import type { DatabaseSettings } from '../settings/databases.ts';
import { workersOf } from '../settings/workers.ts';

/** The load of the workers on their servers, in lines for an operator. */
export function workerNotes(settings: DatabaseSettings): string[] {
  const workers = workersOf(settings);
  if (databaseKind(settings.database)?.isServer !== true) return [];
  const { follow = false, replicas } = settings;
  const follows = follow !== false;
  const { exports } = settings.limits;
  const most = mostConnections(workers, { follows, exports });
  const ofExports = most - mostConnections(workers, { follows, exports: 0 });
  // Exports are never read from replicas.
  const ofReplica = mostConnections(workers, { follows: false, exports: 0 });
  const elsewhere = replicas === undefined ? '' : `, and ${ofReplica} to each replica`;
  const take = workers === 1 ? '1 takes' : `${workers} take`;
  return [
    `workers: ${take} up to ${most} connections to the database, ` +
      `${ofExports} of them for exports${elsewhere}.`,
    ...(follows && workers > 1
      ? [`follow: ${workers} workers take ${workers} replication slots.`]
      : []),
  ];
}
