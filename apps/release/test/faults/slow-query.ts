import { until } from '@proj/test-servers';

import { childrenOf, computedMs } from '../support/processes.ts';
import type { Service } from '../support/service.ts';
import type { Stage } from './stage.ts';

/** What a reader of SQLite computes for no other query. */
const SLOW_MS = 200;

/** Waits until the slow query is in the database. */
export async function slowQueryOf(service: Service, { database }: Stage): Promise<void> {
  if (database.name !== 'sqlite') return until(async () => (await database.running()) > 0);
  const computed = (): number =>
    childrenOf(service.pid).reduce((sum, reader) => sum + computedMs(reader), 0);
  const before = computed();
  return until(() => computed() >= before + SLOW_MS);
}
