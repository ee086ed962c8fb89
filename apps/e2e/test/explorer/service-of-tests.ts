import { afterAll, beforeAll } from 'vitest';

import { type Service, startService } from './service.ts';

/** A service with these arguments for all tests of a block; the answer gives its origin, within tests. */
export function serviceOfTests(args: () => readonly string[]): () => string {
  let service: Service | undefined;
  beforeAll(async () => {
    service = await startService({ args: args() });
  });
  afterAll(async () => service?.stop());
  return () => service?.origin ?? '';
}
