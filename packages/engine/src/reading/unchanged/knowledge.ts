import type { Cache, CacheStore } from '../../cache-store.ts';
import { versionScope } from '../../planning/list-rows.ts';
import type { Checkpoints } from '../../sources/followed.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import type { PageRange, RowsStatement } from '../../sql/query-statements.ts';
import type { AccessPaths, WantedPage } from './access-paths.ts';
import type { DataVersion, DataVersions } from '../sharing/data-version.ts';
import type { Facts, CachedTotal } from '../facts.ts';
import { keptFor } from '../session-use.ts';

/** The total, the version, and the object that holds them. */
const TOTAL_BYTES = 200;

/** What knowledge is made of. */
export interface KnowledgeParts {
  readonly versions: DataVersions;
  readonly store: CacheStore;
  readonly paths: AccessPaths;
}

/**
 * What earlier reads brought: totals, and keys that lead to deep pages. Each of them holds at one
 * version of the data, and is used only for rows that were read at the same version.
 */
export class Knowledge {
  readonly #versions: DataVersions;
  readonly #paths: AccessPaths;
  readonly #totals: Cache<CachedTotal>;

  constructor({ versions, store, paths }: KnowledgeParts) {
    this.#versions = versions;
    this.#paths = paths;
    this.#totals = store.cache('total ', { sizeOf: () => TOTAL_BYTES });
  }

  /** What the totals take in memory, in bytes, estimated. */
  get bytes(): number {
    return this.#totals.bytes;
  }

  /** The total of a query, unless the data is known to have changed since. */
  total(query: PreparedQuery): CachedTotal | undefined {
    const known = this.#totals.get(query.totalKey);
    if (known === undefined) return undefined;
    return this.#versionOf(query).mayBeCurrent(known.version) ? known : undefined;
  }

  /**
   * The statement that reads a page of a query with this total at the least cost; undefined for a
   * page past the end.
   */
  locate(query: PreparedQuery, range: PageRange, known: CachedTotal): RowsStatement | undefined {
    return this.#paths.locate(query, range, known);
  }

  /** Notes that a page is read: deep pages of a list without a quick path get one, if worth it. */
  want(query: PreparedQuery, page: WantedPage): void {
    this.#paths.want(query, page);
  }

  /** Keys along a list that has this total; undefined where there are none. */
  checkpoints(query: PreparedQuery, known: CachedTotal): Checkpoints | undefined {
    return this.#paths.checkpoints(query, known);
  }

  /** Notes what a read brought. */
  learn(query: PreparedQuery, { total, version, foundFor }: Facts): void {
    if (version === undefined) return;
    const { totalKey, plan } = query;
    this.#versionOf(query).observe(version);
    if (this.#totals.peek(totalKey)?.version !== version)
      this.#totals.set(totalKey, { total, version, foundFor }, keptFor(plan.session));
  }

  /** Notes a version that was read together with rows. */
  observe(query: PreparedQuery, version: string | undefined): void {
    this.#versionOf(query).observe(version);
  }

  /**
   * The version of the data that a query reads at a moment after the call; undefined where it is
   * unknown.
   */
  currentVersion(query: PreparedQuery): Promise<string | undefined> {
    return this.#versionOf(query).check();
  }

  #versionOf({ plan }: PreparedQuery): DataVersion {
    return this.#versions.of(versionScope(plan));
  }
}
