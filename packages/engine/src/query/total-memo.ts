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

/** After totals were waited for in vain, the next are not waited for during so many times the wait. */
const PAUSE_FACTOR = 4;

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
  readonly #readings = new Map<string, Promise<unknown>>();
  readonly #pausedUntil = new LRUCache<string, number>({ max: 1000 });

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

  /**
   * Waits for a reading of the list's total that is under way, so that after a change one caller counts for all. Where the data changes
   * faster than it can be counted, callers do not wait.
   *
   * @returns the total, where there was one to wait for
   */
  async wait(key: string, signal: AbortSignal | undefined): Promise<KnownTotal | undefined> {
    const reading = this.#readings.get(key);
    if (reading === undefined || !this.#version.isKnown || (this.#pausedUntil.get(key) ?? 0) > performance.now())
      return undefined;
    await settledOrAborted(reading, signal);
    return this.get(key);
  }

  /** A total that was waited for did not fit the rows that were read after it. */
  waitedInVain(key: string, milliseconds: number): void {
    this.#pausedUntil.set(key, performance.now() + milliseconds * PAUSE_FACTOR);
  }

  /** Lets others wait for a reading that brings the total. */
  async share<Value>(key: string, reading: Promise<Value>): Promise<Value> {
    if (this.#readings.has(key)) return reading;
    this.#readings.set(key, reading);
    try {
      return await reading;
    } finally {
      this.#readings.delete(key);
    }
  }
}

async function settledOrAborted(reading: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  const { promise: left, resolve } = Promise.withResolvers<void>();
  const leave = (): void => resolve();
  signal?.addEventListener('abort', leave, { once: true });
  await Promise.race([left, reading.then(leave, leave)]);
  signal?.removeEventListener('abort', leave);
}
