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

export class KeptSessions {
  readonly #counts = new Map<string, Map<string, number>>();

  add({ role, values }: KeptFor): void {
    const counts = this.#counts.get(role) ?? new Map<string, number>();
    this.#counts.set(role, counts);
    counts.set(values, (counts.get(values) ?? 0) + 1);
  }

  remove({ role, values }: KeptFor): void {
    const counts = this.#counts.get(role);
    const left = (counts?.get(values) ?? 0) - 1;
    if (left > 0) counts?.set(values, left);
    else counts?.delete(values);
  }

  valuesOf(role: string): number {
    return this.#counts.get(role)?.size ?? 0;
  }
}

interface Entry {
  readonly bytes: number;
  forget(): void;
}

/** Caches share memory: the least recently used of all goes first. */
export class CacheStore {
  readonly sessions: KeptSessions;
  readonly #bytes: number;
  readonly #entries: LRUCache<string, Entry>;

  /**
   * @param bytes what all caches may take together
   * @param sessions counts another store's things too. Default: only this one's
   */
  constructor(bytes: number, sessions = new KeptSessions()) {
    this.sessions = sessions;
    this.#bytes = Math.max(1, Math.floor(bytes));
    this.#entries = new LRUCache({
      maxSize: this.#bytes,
      sizeCalculation: (entry) => entry.bytes,
      dispose: (entry) => entry.forget(),
    });
  }

  /** Each cache needs its own name. */
  cache<Value>(name: string, { sizeOf, largestPart = 1 }: CacheOptions<Value>): Cache<Value> {
    const bytesOf = (key: string, value: Value): number =>
      (name.length + key.length) * 2 + ENTRY_BYTES + sizeOf(value);
    const { sessions } = this;
    const largest = this.#bytes * largestPart;
    return new Cache(name, { entries: this.#entries, bytesOf, largest, sessions });
  }
}

interface CacheParts<Value> {
  readonly entries: LRUCache<string, Entry>;
  readonly bytesOf: (key: string, value: Value) => number;
  readonly largest: number;
  readonly sessions: KeptSessions;
}

export class Cache<Value> {
  readonly #name: string;
  readonly #parts: CacheParts<Value>;
  readonly #values = new Map<string, Value>();
  #bytes = 0;

  constructor(name: string, parts: CacheParts<Value>) {
    this.#name = name;
    this.#parts = parts;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.#parts.entries.get(this.#name + key);
    return value;
  }

  /** Does not count as a use. */
  peek(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** @param keptFor whose the value is. Default: that of all who have the key */
  set(key: string, value: Value, keptFor?: KeptFor): boolean {
    this.delete(key);
    const bytes = this.#parts.bytesOf(key, value);
    if (bytes > this.#parts.largest) return false;
    this.#values.set(key, value);
    this.#bytes += bytes;
    if (keptFor !== undefined) this.#parts.sessions.add(keptFor);
    const forget = (): void => {
      this.#values.delete(key);
      this.#bytes -= bytes;
      if (keptFor !== undefined) this.#parts.sessions.remove(keptFor);
    };
    this.#parts.entries.set(this.#name + key, { bytes, forget });
    return true;
  }

  delete(key: string): void {
    this.#parts.entries.delete(this.#name + key);
  }
}
