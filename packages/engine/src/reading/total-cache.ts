import type { Cache, CacheStore } from '../cache-store.ts';
import type { DataVersion } from './data-version.ts';
import type { KnownTotal } from './facts.ts';
import { HitCounter } from './acceleration.ts';

/** The total, the version, and the object that holds them. */
const TOTAL_BYTES = 200;

/**
 * The totals of lists, each with the version of the data that it was read from. A total is used
 * only together with rows that were read from the same version, so it is never stale.
 */
export class TotalCache {
  readonly tally: HitCounter;
  readonly #version: DataVersion;
  readonly #totals: Cache<KnownTotal>;

  constructor(version: DataVersion, store: CacheStore) {
    this.#version = version;
    this.#totals = store.cache('total ', { sizeOf: () => TOTAL_BYTES });
    this.tally = new HitCounter('total_memo', () => this.#totals.bytes);
  }

  /** The total of a list, unless the data is known to have changed since. */
  get(key: string): KnownTotal | undefined {
    const known = this.#totals.get(key);
    return known !== undefined && this.#version.mayBeCurrent(known.version) ? known : undefined;
  }

  set(key: string, known: KnownTotal): void {
    this.#totals.set(key, known);
  }
}
