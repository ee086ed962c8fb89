import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import type { DataVersionSource } from '../../sources/source.ts';
import type { RelationPath } from '../../catalogue/relation.ts';

/** In milliseconds. Shorter versions end before anything kept can be used. */
const LASTING_MS = 5;

/** After so many, the next version counts as short-lived until it has lasted. */
const MOST_FLEETING = 3;

/** Equal versions: equal data. A check that began after the request decides what is current. */
export class DataVersion {
  readonly #read: () => Promise<string | undefined>;
  #latest: string | undefined;
  #firstSeen = 0;
  #lastSeen = 0;
  #fleeting = 0;
  #running: Promise<string | undefined> | undefined;
  #next: Promise<string | undefined> | undefined;

  constructor(read: () => Promise<string | undefined>) {
    this.#read = read;
  }

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

  /** Not where another version was seen since, or versions are too short-lived. */
  mayBeCurrent(version: string): boolean {
    return this.#latest === version && (this.#fleeting <= MOST_FLEETING || this.#lasts);
  }

  get #lasts(): boolean {
    return this.#lastSeen - this.#firstSeen >= LASTING_MS;
  }

  /** One check serves all who wait for it to begin. Undefined where the source has none. */
  check(): Promise<string | undefined> {
    this.#next ??= this.#start(this.#running);
    return this.#next;
  }

  async #start(running: Promise<unknown> | undefined): Promise<string | undefined> {
    await running;
    // Requests that arrived together have been read now, and share the check.
    await setImmediate();
    this.#running = this.#next;
    this.#next = undefined;
    // The read of the page will report the failure.
    const version = await this.#read().catch(() => undefined);
    this.observe(version);
    return version;
  }
}

type VersionSource = Pick<DataVersionSource, 'current' | 'scopeOf'>;

export class DataVersions {
  readonly #versions: VersionSource | undefined;
  readonly #scopes = new Map<string, DataVersion>();

  constructor(versions: VersionSource | undefined) {
    this.#versions = versions;
  }

  of(relations: readonly RelationPath[]): DataVersion {
    const scope = this.#versions?.scopeOf(relations) ?? '';
    const known = this.#scopes.get(scope);
    if (known !== undefined) return known;
    const version = new DataVersion(async () => this.#versions?.current(scope));
    this.#scopes.set(scope, version);
    return version;
  }
}

/** Opaque, since a source's own version may show how busy it is. */
export class PublishedVersion {
  readonly #versions: Pick<DataVersionSource, 'shared'> | undefined;
  #last: { readonly version: string; readonly text: string } | undefined;

  constructor(versions: Pick<DataVersionSource, 'shared'> | undefined) {
    this.#versions = versions;
  }

  of(version: string | undefined): string | undefined {
    if (version === undefined) return undefined;
    if (this.#last?.version !== version) {
      const digest = hash('sha256', this.#versions?.shared(version) ?? version, 'base64url');
      this.#last = { version, text: digest.slice(0, 22) };
    }
    return this.#last.text;
  }
}
