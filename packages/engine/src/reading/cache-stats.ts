import { publishMechanism } from '../tracing.ts';

/** What makes replies cheap, by the names that the metrics have. */
export const MECHANISMS = [
  'short_page_proof',
  'total_cache',
  'count_batcher',
  'read_backwards',
  'page_index',
  'followed_total',
  'followed_index',
  'reply_cache',
  'single_flight',
] as const;

export type Mechanism = (typeof MECHANISMS)[number];

/** How often something that makes replies cheap did so. */
export interface CacheStats {
  /** Requests that it made cheap. */
  readonly hits: number;
  /** Requests that it was tried for, and that had to be read otherwise. */
  readonly misses: number;
  /** What it keeps in memory, in bytes, estimated. */
  readonly bytes: number;
}

/** How often a mechanism served. */
export interface MechanismStatistics extends CacheStats {
  readonly mechanism: string;
}

/** Counts the hits and misses of a mechanism. */
export class HitCounter {
  readonly #mechanism: Mechanism;
  readonly #bytes: (() => number)[];
  #hits = 0;
  #misses = 0;

  /** @param bytes reports what the link keeps in memory; default: nothing */
  constructor(mechanism: Mechanism, bytes: () => number = () => 0) {
    this.#mechanism = mechanism;
    this.#bytes = [bytes];
  }

  count(hit: boolean): void {
    if (hit) this.#hits += 1;
    else this.#misses += 1;
    publishMechanism(this.#mechanism, hit);
  }

  /** Adds what another link keeps in memory. */
  addBytes(bytes: () => number): this {
    this.#bytes.push(bytes);
    return this;
  }

  get stats(): CacheStats {
    const bytes = this.#bytes.reduce((sum, bytesOf) => sum + bytesOf(), 0);
    return { hits: this.#hits, misses: this.#misses, bytes };
  }
}

const NEVER_USED: CacheStats = { hits: 0, misses: 0, bytes: 0 };

/**
 * The counters of chains. A mechanism that is switched off has none, and is reported as unused.
 */
export class MechanismCounters {
  readonly #counters = new Map<Mechanism, HitCounter>();

  /** The counter of a mechanism, which all links of it share. */
  create(mechanism: Mechanism, bytes: () => number = () => 0): HitCounter {
    const known = this.#counters.get(mechanism);
    if (known !== undefined) return known.addBytes(bytes);
    const counter = new HitCounter(mechanism, bytes);
    this.#counters.set(mechanism, counter);
    return counter;
  }

  get statistics(): MechanismStatistics[] {
    return MECHANISMS.map((mechanism) => ({
      mechanism,
      ...(this.#counters.get(mechanism)?.stats ?? NEVER_USED),
    }));
  }
}

/** What each mechanism did in several chains together. */
export function sumStatistics(
  chains: readonly (readonly MechanismStatistics[])[],
): MechanismStatistics[] {
  return MECHANISMS.map((mechanism) => {
    const ofAll = chains.flatMap((chain) => chain.filter((one) => one.mechanism === mechanism));
    const sum = (figure: keyof CacheStats): number =>
      ofAll.reduce((total, stats) => total + stats[figure], 0);
    return { mechanism, hits: sum('hits'), misses: sum('misses'), bytes: sum('bytes') };
  });
}
