import { LRUCache } from 'lru-cache';

import type { PageRows } from '../sources/source.ts';
import type { DataVersion } from './data-version.ts';
import { Tally } from './mechanisms.ts';

/** What was read, and the version of the data it was read from. */
type KeptPage = PageRows & { readonly version: string };

/** Beside the texts: the total, the version, and the cache's own. */
const ENTRY_BYTES = 500;

/** A page that would take more than one part in so many is not kept. */
const LARGEST_PART = 16;

/**
 * Pages that were read, to be sent again while the data stands. A page is given only after a check of the data's version that began after
 * it was asked for; a stale one is never given.
 */
export class ReplyCache {
  readonly tally = new Tally('verified_replies', () => this.#pages.calculatedSize);
  readonly #version: DataVersion;
  readonly #pages: LRUCache<string, KeptPage>;

  constructor(version: DataVersion, memoryBytes: number) {
    const maxSize = Math.max(1, Math.floor(memoryBytes));
    this.#version = version;
    this.#pages = new LRUCache({ maxSize, maxEntrySize: Math.ceil(maxSize / LARGEST_PART), sizeCalculation: bytesOf });
  }

  /** The page under this key, if the data is found to stand. */
  async find(key: string): Promise<PageRows | undefined> {
    const page = this.#pages.get(key);
    if (page === undefined) return undefined;
    const started = performance.now();
    const stands = this.#version.mayStand(page.version) && (await this.#version.check()) === page.version;
    if (!stands && this.#pages.peek(key) === page) this.#pages.delete(key);
    if (!this.tally.count(stands)) return undefined;
    return { ...page, milliseconds: { rows: performance.now() - started, count: 0 } };
  }

  keep(key: string, page: PageRows): void {
    const { version } = page;
    if (version !== undefined) this.#pages.set(key, { ...page, version });
  }
}

function bytesOf({ json }: KeptPage, key: string): number {
  return ((json?.length ?? 0) + key.length) * 2 + ENTRY_BYTES;
}
