import { CacheStore } from '../../cache-store.ts';
import type { Acceleration } from '../../reading/acceleration.ts';
import { Reading } from '../../reading/reading.ts';
import type { Source } from '../../sources/source.ts';

/** Each has its own caches, as servers may show different states. */
export class ReplicaReadings {
  readonly #settings: Acceleration;
  readonly #primary: Reading;
  readonly #readings = new Map<Source, Reading>();

  /** @param primary shares its costs and counters with all servers */
  constructor(settings: Acceleration, primary: Reading) {
    this.#settings = settings;
    this.#primary = primary;
  }

  of(source: Source): Reading {
    const known = this.#readings.get(source);
    if (known !== undefined) return known;
    const [settings, primary] = [this.#settings, this.#primary];
    const store = new CacheStore(settings.memoryBytes, primary.sessions);
    const reading = new Reading({ source, settings, store, primary });
    this.#readings.set(source, reading);
    return reading;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#readings.values()].map((reading) => reading.close()));
  }
}
