import { LRUCache } from 'lru-cache';

/** Beside key and value: the entry, and its places in two maps. */
const ENTRY_BYTES = 300;

/** What a cache keeps of one kind. */
export interface CacheOptions<Value> {
  /** What a value takes in memory, in bytes, estimated. */
  readonly sizeOf: (value: Value) => number;
  /** A value that would take a larger part of the whole store is not kept. Default: 1. */
  readonly largestPart?: number;
}

/** A session of callers for which something is kept that callers of others must not see. */
export interface KeptFor {
  /** The role of the database. */
  readonly role: string;
  /** The same for equal values of its settings, and for no others. */
  readonly values: string;
}

/** Counts the things that are kept for each session. */
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

  /** For how many different values of the settings of a role something is kept at the moment. */
  valuesOf(role: string): number {
    return this.#counts.get(role)?.size ?? 0;
  }
}

/** One thing that is kept, by the name of its cache and its key. */
interface Entry {
  readonly bytes: number;
  forget(): void;
}

/** Memory that caches share: whatever was used least recently, in any of them, goes first. */
export class CacheStore {
  /** For which sessions of callers something is kept. */
  readonly sessions: KeptSessions;
  readonly #bytes: number;
  readonly #entries: LRUCache<string, Entry>;

  /**
   * @param bytes what all caches may take together
   * @param sessions counts what another store keeps too. Default: this one alone
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

  /** A cache in this store. Its name is its own. */
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
  /** The most bytes that a value may take. */
  readonly largest: number;
  readonly sessions: KeptSessions;
}

/** Values of one kind, in the memory of a store. */
export class Cache<Value> {
  readonly #name: string;
  readonly #parts: CacheParts<Value>;
  readonly #values = new Map<string, Value>();
  #bytes = 0;

  constructor(name: string, parts: CacheParts<Value>) {
    this.#name = name;
    this.#parts = parts;
  }

  /** What it takes in memory, in bytes, estimated. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The value, which counts as used. */
  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.#parts.entries.get(this.#name + key);
    return value;
  }

  /** The value, which does not count as used. */
  peek(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /**
   * Keeps a value. Returns whether it fits.
   *
   * @param keptFor whose it is. Default: that of all who have the key
   */
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
