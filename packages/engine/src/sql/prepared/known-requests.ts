import type { Cache, CacheStore } from '../../cache-store.ts';
import type { Grant } from '../../catalogue/grant.ts';

/** Requests that are longer are planned anew each time. */
const LONGEST_KEPT_REQUEST = 8192;

/** What takes a larger part of the store is made anew each time. */
export const LARGEST_PART = 1 / 16;

/**
 * What requests were found to ask. A request is known by its text together with the key of the
 * grant, so that equal grants share it and no grant meets the records of another.
 */
export class KnownRequests<Known> {
  readonly #cache: Cache<Known>;

  /**
   * @param name that of the cache in the store
   * @param sizeOf how many bytes what is known of a request takes, estimated
   */
  constructor(store: CacheStore, name: string, sizeOf: (known: Known) => number) {
    this.#cache = store.cache(name, { sizeOf, largestPart: LARGEST_PART });
  }

  get(text: string, grant: Grant): Known | undefined {
    return this.#cache.get(grant.key + text);
  }

  set(text: string, grant: Grant, known: Known): void {
    if (text.length <= LONGEST_KEPT_REQUEST) this.#cache.set(grant.key + text, known);
  }
}
