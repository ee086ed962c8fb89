import { setImmediate } from 'node:timers/promises';

import type { DataVersionSource } from '../../sources/source.ts';
import type { RelationPath } from '../../catalogue/relation.ts';

/**
 * A version that was seen for less than this time, in milliseconds, counts as short-lived: the data
 * changed again before anything kept for it could be used.
 */
const LASTING_MS = 5;

/**
 * After so many short-lived versions in a row, the next version is expected to be short-lived too,
 * until it has been seen for `LASTING_MS`.
 */
const MOST_FLEETING = 3;

/**
 * The version of the data of one scope, a whole database or a single relation, as far as this
 * process knows it. Equal versions mean equal data; whether something that is kept is current is
 * decided by a check that began after the request arrived.
 */
export class DataVersion {
  readonly #read: () => Promise<string | undefined>;
  #latest: string | undefined;
  #firstSeen = 0;
  #lastSeen = 0;
  /** How many versions in a row have not lasted. */
  #fleeting = 0;
  #running: Promise<string | undefined> | undefined;
  #next: Promise<string | undefined> | undefined;

  /** @param read reads the version of the data at a moment after the call */
  constructor(read: () => Promise<string | undefined>) {
    this.#read = read;
  }

  /** Notes a version that was read together with data. */
  observe(version: string | undefined): void {
    if (version === undefined) return;
    const now = performance.now();
    if (version !== this.#latest) {
      this.#fleeting = this.#lasts ? 0 : this.#fleeting + 1;
      this.#latest = version;
      this.#firstSeen = now;
    }
    this.#lastSeen = now;
  }

  /**
   * Whether it is worth checking that the data still has this version. It is not where another
   * version was seen since, or where versions are too short-lived for kept replies to be used.
   */
  mayBeCurrent(version: string): boolean {
    return this.#latest === version && (this.#fleeting <= MOST_FLEETING || this.#lasts);
  }

  get #lasts(): boolean {
    return this.#lastSeen - this.#firstSeen >= LASTING_MS;
  }

  /**
   * The version at a moment after the call. One check serves all who wait for it to begin.
   * Undefined when the source cannot report one.
   */
  check(): Promise<string | undefined> {
    this.#next ??= this.#start(this.#running);
    return this.#next;
  }

  async #start(running: Promise<unknown> | undefined): Promise<string | undefined> {
    await running;
    // Requests that arrived together are all read by then, and share the check.
    await setImmediate();
    this.#running = this.#next;
    this.#next = undefined;
    // What keeps the source from answering is reported when it is asked for the page.
    const version = await this.#read().catch(() => undefined);
    this.observe(version);
    return version;
  }
}

type VersionSource = Pick<DataVersionSource, 'current' | 'scopeOf'>;

/** The versions of a source's data, by scope. */
export class DataVersions {
  readonly #versions: VersionSource | undefined;
  readonly #scopes = new Map<string, DataVersion>();

  constructor(versions: VersionSource | undefined) {
    this.#versions = versions;
  }

  /** The version of the scope that relations are in at the moment. */
  of(relations: readonly RelationPath[]): DataVersion {
    const scope = this.#versions?.scopeOf(relations) ?? '';
    const known = this.#scopes.get(scope);
    if (known !== undefined) return known;
    const version = new DataVersion(async () => this.#versions?.current(scope));
    this.#scopes.set(scope, version);
    return version;
  }
}
