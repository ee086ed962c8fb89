import { LRUCache } from 'lru-cache';

import { withDeadline } from '../deadline.ts';
import type { Checkpoints, Source } from '../sources/source.ts';
import type { Statement } from '../sql/statement.ts';
import type { PageRange, RowsStatement } from '../sql/query-statements.ts';
import type { Cache, CacheStore } from '../cache-store.ts';
import type { PreparedQuery } from '../sql/prepared-query.ts';
import { HitCounter } from './acceleration.ts';
import type { KnownTotal } from './total-cache.ts';

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

/** An index that led to fewer pages was not worth its building. */
const FEW_USES = 10;

/**
 * After an index that was in vain, none is built for so many times as long as building takes; after
 * the next one for twice that.
 */
const PAUSE_FACTOR = 4;

/**
 * However often an index was in vain, it is tried again after this time, or after four times as
 * long as building takes.
 */
const LONGEST_PAUSE_MS = 60_000;

/**
 * An index that did not fit into memory fits as little while the list is about as long: within this
 * part of its total.
 */
const SAME_LENGTH = 0.2;

/** Lists that are remembered because no index is built for them. */
const MOST_LISTS = 1000;

/**
 * Indexes of deep pages: one pass over a list notes every so-many-th key, and from then on any page
 * costs a seek and a few elements to pass over. A list gets one when deep pages of it are asked for
 * again, beside the queries of callers: one at a time, within a time limit. Whether it still holds
 * is decided by the version of the rows that were found through it.
 */
export class PageIndexes {
  readonly tally: HitCounter;
  readonly #source: Source;
  readonly #indexes: Cache<PageIndex>;
  readonly #closing = new AbortController();
  readonly #buildTimeoutMs: number;
  readonly #askedOnce = new LRUCache<string, true>({ max: MOST_LISTS });
  /** The totals of lists whose indexes did not fit. */
  readonly #tooLong = new LRUCache<string, number>({ max: MOST_LISTS });
  readonly #pauses = new LRUCache<
    string,
    { readonly until: number; readonly milliseconds: number }
  >({ max: MOST_LISTS });
  #building: Promise<void> | undefined;

  constructor(source: Source, store: CacheStore, buildTimeoutMs: number) {
    this.#source = source;
    this.#buildTimeoutMs = buildTimeoutMs;
    this.#indexes = store.cache('index ', { sizeOf: bytesOf, largestPart: LARGEST_PART });
    this.tally = new HitCounter('page_index', () => this.#indexes.bytes);
  }

  /** The way to a page through an index of the list, if there is one of this version. */
  find(
    query: PreparedQuery,
    { version }: KnownTotal,
    { size, offset }: PageRange,
  ): RowsStatement | undefined {
    const index = this.#indexes.get(query.orderKey);
    if (index?.version !== version) return undefined;
    const place = Number(offset / BigInt(index.step));
    const key = index.keys[place];
    if (key === undefined) return undefined;
    index.uses += 1;
    const behind = index.keys[Number((offset + BigInt(size) - 1n) / BigInt(index.step)) + 1];
    const shape = {
      nulls: key.map((value) => value === null),
      reachesNulls: behind === undefined || behind[0] === null,
    };
    return {
      statement: query.seek(shape),
      bindings: { size, offset: offset % BigInt(index.step), key },
      fields: query.statements.fields,
      reversed: false,
      maxBytes: query.statements.maxBytes,
    };
  }

  /**
   * Begins to build the index of a list, unless this is the first time that it would help, one is
   * being built, the last one was in vain just now, or did not fit.
   */
  want(query: PreparedQuery, known: KnownTotal): void {
    if (!this.#isAskedAgain(query.orderKey) || this.#building !== undefined) return;
    this.#forgetStale(query.orderKey, known.version);
    if ((this.#pauses.get(query.orderKey)?.until ?? 0) > performance.now()) return;
    if (this.#isTooLong(query.orderKey, Number(known.total))) return;
    this.#building = this.#build(query, known).finally(() => {
      this.#building = undefined;
    });
  }

  /** Stops whatever is being built. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#building;
  }

  /** A failure leaves the list without an index; the pages that need none tell what is wrong. */
  async #readCheckpoints(statement: Statement): Promise<Checkpoints | undefined> {
    const limits = { signal: this.#closing.signal, timeoutMs: this.#buildTimeoutMs };
    return withDeadline(limits, async (call) =>
      this.#source.readCheckpoints?.(statement, call),
    ).catch(() => undefined);
  }

  async #build(query: PreparedQuery, { total, version }: KnownTotal): Promise<void> {
    const step = Math.max(SHORTEST_STEP, Math.ceil(Number(total) / MOST_KEYS));
    const statement = query.checkpoints(step);
    const started = performance.now();
    const read = statement && (await this.#readCheckpoints(statement));
    const buildMs = performance.now() - started;
    if (read?.version !== version) {
      this.#pause(query.orderKey, buildMs);
      return;
    }
    const fits = this.#indexes.set(query.orderKey, {
      version,
      step,
      keys: read.keys,
      buildMs,
      uses: 0,
    });
    if (!fits) this.#tooLong.set(query.orderKey, Number(total));
  }

  /**
   * Somebody who looks at many different lists once each would have an index built for every one of
   * them.
   */
  #isAskedAgain(key: string): boolean {
    const again = this.#askedOnce.has(key);
    this.#askedOnce.set(key, true);
    return again;
  }

  #isTooLong(key: string, total: number): boolean {
    const then = this.#tooLong.get(key);
    return then !== undefined && Math.abs(total - then) <= then * SAME_LENGTH;
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
    const milliseconds = Math.max(buildMs * PAUSE_FACTOR, Math.min(LONGEST_PAUSE_MS, last * 2));
    this.#pauses.set(key, { until: performance.now() + milliseconds, milliseconds });
  }
}

/** What an index takes in memory: an array for each key, and its texts. */
function bytesOf({ keys }: PageIndex): number {
  const [sample = []] = keys;
  const frame = 48 + sample.length * 16;
  const texts = keys.reduce(
    (sum, key) => sum + key.reduce<number>((length, value) => length + lengthOf(value), 0),
    0,
  );
  return 100 + keys.length * frame + texts;
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length * 2;
  return value instanceof Uint8Array ? value.byteLength + 100 : 8;
}
