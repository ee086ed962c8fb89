import type { Engine } from '@proj/engine';
import { expect, it, vi } from 'vitest';

import type { CheckedEngine } from './open-database.ts';
import { WaitingDatabase } from './waiting-database.ts';

// Between two attempts nobody waits.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

it('a database that is waited for is tried again after whatever error', async () => {
  const found = { catalogue: new Map() } as Partial<Engine> as Engine;
  const open = vi
    .fn<() => Promise<CheckedEngine>>()
    .mockRejectedValueOnce(new TypeError('Nobody has foreseen this.'))
    .mockResolvedValue({ engine: found, warnings: [] });
  const opened = Promise.withResolvers<CheckedEngine>();
  const log = { info: () => undefined, warn: () => undefined };
  const failure = new Error('It is away.');
  const database = new WaitingDatabase({
    open,
    failure,
    isWaitedFor: () => true,
    log,
    onOpen: opened.resolve,
  });
  expect(await database.begin()).toEqual([]);
  expect((await opened.promise).engine).toBe(found);
});
