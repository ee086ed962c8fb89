import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Frees the memory of what nobody refers to, as Node does by itself sooner or later. */
export async function freeMemory(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const free = runInNewContext('gc') as (how: object) => Promise<void>;
  // What Node does when a signal is freed may let go of another one.
  for (let round = 0; round < 2; round++) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const registry = new FinalizationRegistry<void>(resolve);
    registry.register({}, undefined);
    await free({ execution: 'async' });
    await promise;
  }
}
