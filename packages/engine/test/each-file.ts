import { afterAll, vi } from 'vitest';

import { closeOpened } from './open.ts';

// The files share their workers, so that each must leave nothing to the next one.
afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.useRealTimers();
  await closeOpened();
});
