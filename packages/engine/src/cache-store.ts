import { LRUCache } from 'lru-cache';

/** Beside key and value: the entry, and its places in two maps. */
const ENTRY_BYTES = 300;

export interface CacheOptions<Value> {
  readonly sizeOf: (value: Value) => number;
  /** Of the store; larger values are not kept. Default: 1. */
  readonly largestPart?: number;
}

/** Callers of one session, whose things others must not see. */
export interface KeptFor {
  readonly role: string;
  /** Equal only for equal settings. */
  readonly values: string;
}

interface Entry {
  readonly bytes: number;
  readonly keptFor: KeptFor | undefined;
  forget(): void;
}

/** Caches share memory: the least recently used of all goes first. */
export class CacheStore {
  readonly bytes: number;
  readonly entries: LRUCache<string, Entry>;

  constructor(bytes: number) {
    this.bytes = Math.max(1, Math.floor(bytes));
    this.entries = new LRUCache({
      maxSize: this.bytes,
      sizeCalculation: (entry) => entry.bytes,
      dispose: (entry) => entry.forget(),
    });
  }

  /** Each cache needs its own name. */
  cache<Value>(name: string, options: CacheOptions<Value>): Cache<Value> {
    return new Cache(this, name, options);
  }

  /** Of the sessions of a role that have something kept. */
  valuesOf(role: string): string[] {
    return [...this.entries.values()].flatMap(({ keptFor }) =>
      keptFor?.role === role ? keptFor.values : [],
    );
  }
}

export class Cache<Value> {
  readonly #store: CacheStore;
  readonly #name: string;
  readonly #options: CacheOptions<Value>;
  readonly #kept = new Map<string, { readonly value: Value; readonly name: string }>();
  #bytes = 0;

  constructor(store: CacheStore, name: string, options: CacheOptions<Value>) {
    this.#store = store;
    this.#name = name;
    this.#options = options;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Value | undefined {
    const kept = this.#kept.get(key);
    // A joined name would be hashed each time.
    if (kept !== undefined) this.#store.entries.get(kept.name);
    return kept?.value;
  }

  /** Does not count as a use. */
  peek(key: string): Value | undefined {
    return this.#kept.get(key)?.value;
  }

  /** @param keptFor whose the value is. Default: that of all who have the key */
  set(key: string, value: Value, keptFor?: KeptFor): boolean {
    this.delete(key);
    const { sizeOf, largestPart = 1 } = this.#options;
    const name = this.#name + key;
    const bytes = name.length * 2 + ENTRY_BYTES + sizeOf(value);
    if (bytes > this.#store.bytes * largestPart) return false;
    this.#kept.set(key, { value, name });
    this.#bytes += bytes;
    const forget = (): void => {
      this.#kept.delete(key);
      this.#bytes -= bytes;
    };
    this.#store.entries.set(name, { bytes, keptFor, forget });
    return true;
  }

  delete(key: string): void {
    this.#store.entries.delete(this.#name + key);
  }
}
