import { availableParallelism } from 'node:os';

import type { Settings } from './schema.ts';

/** How many processes answer. */
export function workersOf({ workers }: Pick<Settings, 'workers'>): number {
  return workers === 'auto' ? availableParallelism() : workers;
}
