import { isDatabaseServer, mostConnections } from '@proj/engine';

import type { Settings } from '../settings/schema.ts';
import { workersOf } from '../settings/workers.ts';

/** What several workers need of the servers that they read, in lines for an operator. */
export function workerNotes(settings: Settings): string[] {
  const workers = workersOf(settings);
  if (workers === 1 || !isDatabaseServer(settings.database)) return [];
  const { follow = false, replicas } = settings;
  const follows = follow !== false;
  const most = mostConnections(workers, { follows, exports: settings.limits.exports });
  // Exports are never read from replicas.
  const ofReplica = mostConnections(workers, { follows: false, exports: 0 });
  const elsewhere = replicas === undefined ? '' : `, and ${ofReplica} to each replica`;
  return [
    `workers: ${workers} take up to ${most} connections to the database${elsewhere}.`,
    ...(follows ? [`follow: ${workers} workers take ${workers} replication slots.`] : []),
  ];
}
