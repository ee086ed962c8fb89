import { isDatabaseServer, mostConnections } from '@proj/engine';

import type { Settings } from '../settings/schema.ts';
import { workersOf } from '../settings/workers.ts';

/** What several workers need of the servers that they read, in lines for an operator. */
export function workerNotes(settings: Settings): string[] {
  const workers = workersOf(settings);
  if (workers === 1 || !isDatabaseServer(settings.database)) return [];
  const { follow = false, replicas } = settings;
  const follows = follow !== false;
  const elsewhere =
    replicas === undefined ? '' : `, and ${mostConnections(workers, false)} to each replica`;
  return [
    `workers: ${workers} take up to ${mostConnections(workers, follows)} connections to the ` +
      `database${elsewhere}.`,
    ...(follows ? [`follow: ${workers} workers take ${workers} replication slots.`] : []),
  ];
}
