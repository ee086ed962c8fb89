import { vi } from 'vitest';

import { DataVersion } from '../../src/reading/data-version.ts';
import { SingleFlight } from '../../src/reading/single-flight.ts';
import { PageIndexes } from '../../src/reading/page-indexes.ts';
import { TotalCache } from '../../src/reading/total-cache.ts';
import { FULL_SPEED, HUNDREDFOLD } from './paces.ts';
import type { Pace } from './writers.ts';

/** A mechanism of the engine that is broken in place. */
export interface Sabotage {
  /** What the mechanism does then. */
  readonly does: string;
  /** When others write; never where undefined. */
  readonly pace: Pace | undefined;
  /** Breaks it, until vitest restores what was spied on. */
  readonly commit: () => void;
}

export const SABOTAGES: readonly Sabotage[] = [
  {
    does: 'a version check finds every version unchanged',
    pace: HUNDREDFOLD,
    commit: () => {
      let asked = '';
      vi.spyOn(DataVersion.prototype, 'mayBeCurrent').mockImplementation((version) => {
        asked = version;
        return true;
      });
      vi.spyOn(DataVersion.prototype, 'check').mockImplementation(() => Promise.resolve(asked));
    },
  },
  {
    does: 'a total is taken for one of the version that the rows have',
    pace: HUNDREDFOLD,
    commit: () => {
      let seen: string | undefined;
      const observe = Reflect.get(DataVersion.prototype, 'observe');
      vi.spyOn(DataVersion.prototype, 'observe').mockImplementation(function note(
        this: DataVersion,
        version,
      ) {
        seen = version;
        observe.call(this, version);
      });
      vi.spyOn(DataVersion.prototype, 'mayBeCurrent').mockReturnValue(true);
      const get = Reflect.get(TotalCache.prototype, 'get');
      vi.spyOn(TotalCache.prototype, 'get').mockImplementation(function anyVersion(
        this: TotalCache,
        key,
      ) {
        const known = get.call(this, key);
        return known && Object.defineProperty({ ...known }, 'version', { get: () => seen });
      });
    },
  },
  {
    does: 'an index leads one element too far',
    pace: undefined,
    commit: () => {
      const find = Reflect.get(PageIndexes.prototype, 'find');
      vi.spyOn(PageIndexes.prototype, 'find').mockImplementation(function tooFar(
        this: PageIndexes,
        ...place
      ) {
        const way = find.call(this, ...place);
        return way && { ...way, bindings: { ...way.bindings, offset: way.bindings.offset + 1n } };
      });
    },
  },
  {
    does: 'a caller shares an answer that began before the caller came',
    pace: FULL_SPEED,
    commit: () => {
      const underWay = new Map<string, Promise<unknown>>();
      const join = Reflect.get(SingleFlight.prototype, 'join') as SingleFlight<unknown>['join'];
      vi.spyOn(SingleFlight.prototype, 'join').mockImplementation(function early(
        this: SingleFlight<unknown>,
        key,
        start,
        waiting,
      ) {
        const joined =
          underWay.get(key) ??
          join.call(this, key, start, waiting).finally(() => underWay.delete(key));
        underWay.set(key, joined);
        return joined;
      });
    },
  },
];
