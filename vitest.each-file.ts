import { afterAll, vi } from 'vitest';

import { endFile } from './packages/test-servers/src/index.ts';

// Vitest ends its workers with SIGTERM, and a run that is broken off disconnects them. Either would
// leave the servers of the worker behind.
if (process.listenerCount('SIGTERM') === 0) {
  process.once('SIGTERM', () => process.exit());
  process.once('disconnect', () => process.exit());
}

// The files share their workers, so that each must leave nothing to the next one.
afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  await endFile();
});
