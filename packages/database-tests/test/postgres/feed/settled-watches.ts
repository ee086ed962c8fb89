import { until } from '@proj/test-servers';
import { vi } from 'vitest';

import { WatchedList } from '../../../../engine/src/engine/watches/watched-list.ts';

const isOld = Reflect.get(WatchedList.prototype, 'isOld');

/**
 * Lets a test wait until each of so many watched lists has all that was committed: nothing is read
 * for it after that. Returns the ids of their states, which may not be delivered yet.
 *
 * @param lists of all engines of the test
 */
export function settledWatches(lists: number): () => Promise<ReadonlySet<string>> {
  const looks = new Map<WatchedList, number>();
  vi.spyOn(WatchedList.prototype, 'isOld').mockImplementation(function noted(
    this: WatchedList,
    version,
  ) {
    const old = isOld.call(this, version);
    if (!old) looks.set(this, (looks.get(this) ?? 0) + 1);
    return old;
  });
  return async () => {
    looks.clear();
    // A look that was under way may be of a version before the commit, and the next one is not.
    await until(() => looks.size >= lists && [...looks.values()].every((count) => count > 1));
    return new Set(Array.from(looks.keys(), ({ state }) => state.id));
  };
}
