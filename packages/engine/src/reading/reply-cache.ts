import type { PageRows } from '../sources/source.ts';
import type { Cache, CacheStore } from '../cache-store.ts';
import type { DataVersion } from './data-version.ts';
import { HitCounter } from './acceleration.ts';

/** What was read, and the version of the data it was read from. */
type KeptPage = PageRows & { readonly version: string };

/** Beside the text of the elements: the total and the version. */
const PAGE_BYTES = 300;

/** A page that takes a larger part of the store is not kept. */
const LARGEST_PART = 1 / 32;

/**
 * Pages that were read, to be sent again while the data stands. A page is given only after a check
 * of the data's version that began after it was asked for; a stale one is never given.
 */
export class ReplyCache {
  readonly tally: HitCounter;
  readonly #version: DataVersion;
  readonly #pages: Cache<KeptPage>;

  constructor(version: DataVersion, store: CacheStore) {
    this.#version = version;
    this.#pages = store.cache('reply ', {
      sizeOf: ({ json }) => (json?.length ?? 0) * 2 + PAGE_BYTES,
      largestPart: LARGEST_PART,
    });
    this.tally = new HitCounter('verified_replies', () => this.#pages.bytes);
  }

  /** The page under this key, if the data is found to stand. */
  async find(key: string): Promise<PageRows | undefined> {
    const page = this.#pages.get(key);
    if (page === undefined) return undefined;
    const started = performance.now();
    const stands =
      this.#version.mayBeCurrent(page.version) && (await this.#version.check()) === page.version;
    if (!stands && this.#pages.peek(key) === page) this.#pages.delete(key);
    if (!this.tally.count(stands)) return undefined;
    return { ...page, milliseconds: { rows: performance.now() - started, count: 0 } };
  }

  keep(key: string, page: PageRows): void {
    const { version } = page;
    if (version !== undefined) this.#pages.set(key, { ...page, version });
  }
}
