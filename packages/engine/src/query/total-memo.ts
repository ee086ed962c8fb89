import { LRUCache } from 'lru-cache';

import type { DataVersion } from './data-version.ts';
import { Tally } from './mechanisms.ts';

/** A total, and the version of the data that has it. */
export interface KnownTotal {
  readonly total: bigint;
  readonly version: string;
}

/** Totals for all lists of a source take so many bytes at most. */
const MEMORY_BYTES = 4 * 2 ** 20;

/** Beside the key: the total, the version, and the cache's own. */
const ENTRY_BYTES = 300;

/**
 * The totals of lists, each with the version of the data that it was read from. A total is used only together with rows that were read
 * from the same version, so it is never stale.
 */
export class TotalMemo {
  readonly tally = new Tally('total_memo', () => this.#totals.calculatedSize);
  readonly #version: DataVersion;
  readonly #totals = new LRUCache<string, KnownTotal>({
    maxSize: MEMORY_BYTES,
    sizeCalculation: (_total, key) => key.length * 2 + ENTRY_BYTES,
  });

  constructor(version: DataVersion) {
    this.#version = version;
  }

  /** The total of a list, unless the data is known to have changed since. */
  get(key: string): KnownTotal | undefined {
    const known = this.#totals.get(key);
    return known !== undefined && this.#version.mayStand(known.version) ? known : undefined;
  }

  set(key: string, known: KnownTotal): void {
    this.#totals.set(key, known);
  }
}
