import type { RunningService } from '@proj/test-servers';
import { afterAll, beforeAll } from 'vitest';

import { startDemo } from './service.ts';

/** A service with these arguments for all tests of a block; the answer gives its origin, within tests. */
export function serviceOfTests(args: () => readonly string[]): () => string {
  let service: RunningService | undefined;
  beforeAll(async () => {
    service = await startDemo({ args: args() });
  });
  afterAll(async () => service?.stop());
  return () => service?.origin ?? '';
}
