import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import { sharedRuns } from '../../shared-runs.ts';
import type { DataVersionSource } from '../../sources/source.ts';
import type { RelationPath } from '../../catalogue/relation.ts';

/** In milliseconds. Shorter versions end before anything kept can be used. */
const LASTING_MS = 5;

/** After so many, the next version counts as short-lived until it has lasted. */
const MOST_FLEETING = 3;

/** Equal versions: equal data. A check that began after the request decides what is current. */
export class DataVersion {
  readonly #runCheck: () => Promise<string | undefined>;
  #latest: string | undefined;
  #firstSeen = 0;
  #lastSeen = 0;
  #fleeting = 0;

  constructor(read: () => Promise<string | undefined>) {
    // Requests that arrive together, or as others are answered, share a check: it begins later.
    this.#runCheck = sharedRuns(async () => {
      // The read of the page will report the failure.
      const version = await read().catch(() => undefined);
      this.observe(version);
      return version;
    }, twoTurns);
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

  /** Undefined where the source has none. */
  check(): Promise<string | undefined> {
    return this.#runCheck();
  }

  /** Not where another version was seen since, or versions are too short-lived. */
  mayBeCurrent(version: string): boolean {
    return this.#latest === version && (this.#fleeting <= MOST_FLEETING || this.#lasts);
  }

  get #lasts(): boolean {
    return this.#lastSeen - this.#firstSeen >= LASTING_MS;
  }
}

/** Of the event loop. */
async function twoTurns(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

type VersionSource = Pick<DataVersionSource, 'current' | 'scopeOf'>;

export class DataVersions {
  readonly #versions: VersionSource | undefined;
  readonly #scopes = new Map<string, DataVersion>();

  constructor(versions: VersionSource | undefined) {
    this.#versions = versions;
  }

  of(relations: readonly RelationPath[]): DataVersion {
    const scope = this.#versions?.scopeOf?.(relations) ?? '';
    const known = this.#scopes.get(scope);
    if (known !== undefined) return known;
    const version = new DataVersion(async () => this.#versions?.current(scope));
    this.#scopes.set(scope, version);
    return version;
  }
}

export type PublishedVersions = (version: string | undefined) => string | undefined;

/** Opaque, since a source's own version may show how busy it is. */
export function publishedVersions(
  versions: Pick<DataVersionSource, 'shared'> | undefined,
): PublishedVersions {
  let last: { readonly version: string; readonly text: string } | undefined;
  return (version) => {
    if (version === undefined) return undefined;
    if (last?.version !== version) {
      const digest = hash('sha256', versions?.shared?.(version) ?? version, 'base64url');
      last = { version, text: digest.slice(0, 22) };
    }
    return last.text;
  };
}
