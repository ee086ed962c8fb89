import { LRUCache } from 'lru-cache';

import type { RowsStatement, Source, Window } from '../sources/source.ts';
import type { Cache, CacheStore } from './cache-store.ts';
import type { List } from './list.ts';
import { Tally } from './mechanisms.ts';
import type { KnownTotal } from './total-memo.ts';

/** Keys all along a list, while the data stands: behind `step` elements each, the next one's. */
interface PageIndex {
  readonly version: string;
  readonly step: number;
  readonly keys: readonly (readonly unknown[])[];
  readonly buildMs: number;
  /** How many pages it led to. */
  uses: number;
}

/** A longer list has longer steps, so that an index of any list takes about the same memory. */
const MOST_KEYS = 50_000;

/** Passing over so many elements costs no more than finding the first of them. */
const SHORTEST_STEP = 100;

/** An index that takes a larger part of the store is not kept. */
const LARGEST_PART = 1 / 2;

const BUILD_TIMEOUT_MS = 5 * 60_000;

/** An index that led to fewer pages was not worth its building. */
const FEW_USES = 10;

/** After an index that was in vain, none is built for so many times as long as building takes; after the next one for twice that. */
const PAUSE_FACTOR = 4;

/** However often an index was in vain, it is tried again after this time. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * Indexes of deep pages: one pass over a list notes every so-many-th key, and from then on any page costs a seek and a few elements to pass
 * over. A list gets one when a deep page is asked for, beside the queries of callers. Whether it still holds is decided by the version of
 * the rows that were found through it.
 */
export class PageIndexes {
  readonly tally: Tally;
  readonly #source: Source;
  readonly #indexes: Cache<PageIndex>;
  readonly #closing = new AbortController();
  readonly #pauses = new LRUCache<string, { readonly until: number; readonly milliseconds: number }>({ max: 1000 });
  #building: Promise<void> | undefined;

  constructor(source: Source, store: CacheStore) {
    this.#source = source;
    this.#indexes = store.cache('index ', { sizeOf: bytesOf, largestPart: LARGEST_PART });
    this.tally = new Tally('page_index', () => this.#indexes.bytes);
  }

  /** The way to a page through an index of the list, if there is one of this version. */
  find(list: List, { version }: KnownTotal, { size, offset }: Window): RowsStatement | undefined {
    const index = this.#indexes.get(list.orderKey);
    if (index?.version !== version) return undefined;
    const place = Number(offset / BigInt(index.step));
    const key = index.keys[place];
    if (key === undefined) return undefined;
    index.uses += 1;
    const behind = index.keys[Number((offset + BigInt(size) - 1n) / BigInt(index.step)) + 1];
    const shape = { nulls: key.map((value) => value === null), reachesNulls: behind === undefined || behind[0] === null };
    return {
      statement: list.seek(shape),
      filling: { size, offset: offset % BigInt(index.step), key },
      fields: list.statements.fields,
      reversed: false,
      maxBytes: list.statements.maxBytes,
    };
  }

  /** Begins to build the index of a list, unless one is being built, or the last one was in vain just now. */
  want(list: List, known: KnownTotal): void {
    if (this.#building !== undefined) return;
    this.#forgetStale(list.orderKey, known.version);
    if ((this.#pauses.get(list.orderKey)?.until ?? 0) > performance.now()) return;
    this.#building = this.#build(list, known).finally(() => {
      this.#building = undefined;
    });
  }

  /** Stops whatever is being built. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#building;
  }

  async #build(list: List, { total, version }: KnownTotal): Promise<void> {
    const step = Math.max(SHORTEST_STEP, Math.ceil(Number(total) / MOST_KEYS));
    const statement = list.anchors(step);
    const started = performance.now();
    const patience = { signal: this.#closing.signal, timeoutMs: BUILD_TIMEOUT_MS };
    // A failure leaves the list without an index; the pages that need none tell what is wrong.
    const read = statement && (await this.#source.readAnchors?.(statement, patience).catch(() => undefined));
    const buildMs = performance.now() - started;
    if (read?.version === version) this.#indexes.set(list.orderKey, { version, step, keys: read.keys, buildMs, uses: 0 });
    else this.#pause(list.orderKey, buildMs);
  }

  #forgetStale(key: string, version: string): void {
    const index = this.#indexes.peek(key);
    if (index === undefined || index.version === version) return;
    this.#indexes.delete(key);
    if (index.uses < FEW_USES) this.#pause(key, index.buildMs);
    else this.#pauses.delete(key);
  }

  #pause(key: string, buildMs: number): void {
    const last = this.#pauses.get(key)?.milliseconds ?? 0;
    const milliseconds = Math.min(LONGEST_PAUSE_MS, Math.max(buildMs * PAUSE_FACTOR, last * 2));
    this.#pauses.set(key, { until: performance.now() + milliseconds, milliseconds });
  }
}

/** What an index takes in memory: an array for each key, and its texts. */
function bytesOf({ keys }: PageIndex): number {
  const [sample = []] = keys;
  const frame = 48 + sample.length * 16;
  const texts = keys.reduce((sum, key) => sum + key.reduce<number>((length, value) => length + lengthOf(value), 0), 0);
  return 100 + keys.length * frame + texts;
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length * 2;
  return value instanceof Uint8Array ? value.byteLength + 100 : 8;
}
