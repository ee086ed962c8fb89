import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Frees the memory of what nobody refers to, as Node does by itself sooner or later. */
export async function freeMemory(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const free = runInNewContext('gc') as (how: object) => Promise<void>;
  for (let round = 0; round < 5; round++) {
    await sleep(20);
    await free({ execution: 'async' });
  }
}
