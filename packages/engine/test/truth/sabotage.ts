import { vi } from 'vitest';

import { DataVersion } from '../../src/query/data-version.ts';
import { Flights } from '../../src/query/flights.ts';
import { PageIndexes } from '../../src/query/page-index.ts';
import { TotalMemo } from '../../src/query/total-memo.ts';
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
      vi.spyOn(DataVersion.prototype, 'mayStand').mockImplementation((version) => {
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
      vi.spyOn(DataVersion.prototype, 'mayStand').mockReturnValue(true);
      const get = Reflect.get(TotalMemo.prototype, 'get');
      vi.spyOn(TotalMemo.prototype, 'get').mockImplementation(function anyVersion(
        this: TotalMemo,
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
        return way && { ...way, filling: { ...way.filling, offset: way.filling.offset + 1n } };
      });
    },
  },
  {
    does: 'a caller shares an answer that began before the caller came',
    pace: FULL_SPEED,
    commit: () => {
      const underWay = new Map<string, Promise<unknown>>();
      const join = Reflect.get(Flights.prototype, 'join') as Flights<unknown>['join'];
      vi.spyOn(Flights.prototype, 'join').mockImplementation(function early(
        this: Flights<unknown>,
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
