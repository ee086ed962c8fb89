import { availableParallelism } from 'node:os';

import type { Settings } from './schema.ts';

export function workersOf({ workers }: Pick<Settings, 'workers'>): number {
  return workers === 'auto' ? availableParallelism() : workers;
}
