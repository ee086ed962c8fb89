import { CacheStore } from '../../cache-store.ts';
import type { Acceleration } from '../../reading/acceleration.ts';
import type { QueryCosts } from '../../reading/sharing/query-costs.ts';
import { Reading } from '../../reading/reading.ts';
import type { Source } from '../../sources/source.ts';

/**
 * The chains that read from replicas. Each has caches of its own: what one server showed is never
 * taken for what another shows.
 */
export class ReplicaReadings {
  readonly #settings: Acceleration;
  readonly #costs: QueryCosts;
  readonly #readings = new Map<Source, Reading>();

  /** @param costs what queries cost, on whichever server */
  constructor(settings: Acceleration, costs: QueryCosts) {
    this.#settings = settings;
    this.#costs = costs;
  }

  /** The chain that reads from a replica. */
  of(source: Source): Reading {
    const known = this.#readings.get(source);
    if (known !== undefined) return known;
    const [settings, costs] = [this.#settings, this.#costs];
    const store = new CacheStore(settings.memoryBytes);
    const reading = new Reading({ source, settings, store, costs });
    this.#readings.set(source, reading);
    return reading;
  }

  get all(): readonly Reading[] {
    return [...this.#readings.values()];
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((reading) => reading.close()));
  }
}
