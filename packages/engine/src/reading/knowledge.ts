import type { Cache, CacheStore } from '../cache-store.ts';
import type { PreparedQuery } from '../sql/prepared-query.ts';
import type { PageRange, RowsStatement } from '../sql/query-statements.ts';
import type { AccessPaths } from './access-paths.ts';
import type { DataVersion } from './data-version.ts';
import type { Facts, KnownTotal } from './facts.ts';

/** The total, the version, and the object that holds them. */
const TOTAL_BYTES = 200;

/** What knowledge is made of. */
export interface KnowledgeParts {
  readonly version: DataVersion;
  readonly store: CacheStore;
  readonly paths: AccessPaths;
}

/**
 * What earlier reads brought: totals, and keys that lead to deep pages. Each fact is true at one
 * version of the data, and is used only with rows that were read at the same version, so it is
 * never stale.
 */
export class Knowledge {
  readonly #version: DataVersion;
  readonly #paths: AccessPaths;
  readonly #totals: Cache<KnownTotal>;

  constructor({ version, store, paths }: KnowledgeParts) {
    this.#version = version;
    this.#paths = paths;
    this.#totals = store.cache('total ', { sizeOf: () => TOTAL_BYTES });
  }

  /** What the totals take in memory, in bytes, estimated. */
  get bytes(): number {
    return this.#totals.bytes;
  }

  /** The total of a query, unless the data is known to have changed since. */
  total({ totalKey }: PreparedQuery): KnownTotal | undefined {
    const known = this.#totals.get(totalKey);
    return known !== undefined && this.#version.mayBeCurrent(known.version) ? known : undefined;
  }

  /**
   * The statement that reads a page of a query with this total at the least cost; undefined for a
   * page past the end.
   */
  locate(query: PreparedQuery, range: PageRange, known: KnownTotal): RowsStatement | undefined {
    return this.#paths.locate(query, range, known);
  }

  /** Notes what a read brought. */
  learn({ totalKey }: PreparedQuery, { total, version }: Facts): void {
    if (version === undefined) return;
    this.#version.observe(version);
    if (this.#totals.peek(totalKey)?.version !== version)
      this.#totals.set(totalKey, { total, version });
  }

  /** Notes a version that was read together with rows. */
  observe(version: string | undefined): void {
    this.#version.observe(version);
  }

  /** The version of the data at a moment after the call; undefined where it is unknown. */
  currentVersion(): Promise<string | undefined> {
    return this.#version.check();
  }
}
