import type { Cache, CacheStore } from '../../cache-store.ts';
import { versionScope } from '../../planning/list-rows.ts';
import type { Checkpoints } from '../../sources/followed.ts';
import { fromNearerEnd } from '../../sql/nearer-end.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import type { PageRange, RowsStatement } from '../../sql/query-statements.ts';
import type { HitCounter, MechanismCounters } from '../cache-stats.ts';
import { CallerTurns } from '../caller-turns.ts';
import type { KeptTotal, FoundTotal } from '../found-total.ts';
import { ListAdmission } from '../list-admission.ts';
import { keptFor } from '../session-use.ts';
import type { DataVersion, DataVersions } from '../sharing/data-version.ts';
import type { Build, IndexBuilder } from './index-builder.ts';
import { bytesOfIndex, checkpointsOf, type PageIndex, seekFrom } from './page-index.ts';

/** The total, the version, and the object that holds them. */
const TOTAL_BYTES = 200;

/** An index that takes a larger part of the store is not kept. */
const LARGEST_PART = 1 / 2;

/** So many callers wait for their index. */
const MOST_WAITING = 100;

/** A page that is read, of a list with this total, and for whom. */
export interface WantedPage {
  readonly range: PageRange;
  readonly known: KeptTotal;
  readonly caller: string;
}

/** A list that is to get an index, with its total. */
interface WantedIndex extends Pick<WantedPage, 'known' | 'caller'> {
  readonly query: PreparedQuery;
}

/** What reads the keys of lists, for an index of their deep pages. */
export interface IndexParts {
  readonly counters: MechanismCounters;
  readonly builder: Pick<IndexBuilder, 'isBusy' | 'growing' | 'build'>;
  /** Pages that are nearer to an end of their list are read from there. */
  readonly minOffset: number;
}

/** What known totals are made of. */
export interface KnownTotalsParts {
  readonly versions: DataVersions;
  readonly store: CacheStore;
  /** Undefined where no page has an index. */
  readonly indexing?: IndexParts | undefined;
}

/**
 * What earlier reads brought: totals, and keys that lead to deep pages. Each of them holds at one
 * version of the data, and is used only for rows that were read at the same version.
 *
 * One pass over a list notes every so-many-th key, and from then on any page costs a seek and a few
 * records to pass over. A list gets such an index when deep pages of it are asked for again.
 */
export class KnownTotals {
  readonly #versions: DataVersions;
  readonly #totals: Cache<KeptTotal>;
  readonly #indexes: Cache<PageIndex>;
  readonly #indexing: IndexParts | undefined;
  readonly #counter: HitCounter | undefined;
  readonly #lists = new ListAdmission();
  /** What each caller asked for last while another index was built, by callers. */
  readonly #waiting = new CallerTurns<WantedIndex>(MOST_WAITING);

  constructor({ versions, store, indexing }: KnownTotalsParts) {
    this.#versions = versions;
    this.#totals = store.cache('total ', { sizeOf: () => TOTAL_BYTES });
    this.#indexes = store.cache('index ', { sizeOf: bytesOfIndex, largestPart: LARGEST_PART });
    this.#indexing = indexing;
    this.#counter = indexing?.counters.create('page_index', () => this.#indexes.bytes);
  }

  /** What the totals take in memory, in bytes, estimated. */
  get bytes(): number {
    return this.#totals.bytes;
  }

  /** The total of a query, unless the data is known to have changed since. */
  total(query: PreparedQuery): KeptTotal | undefined {
    const known = this.#totals.get(query.totalKey);
    if (known === undefined) return undefined;
    return this.#versionOf(query).mayBeCurrent(known.version) ? known : undefined;
  }

  /** Notes what a read brought. */
  learn(query: PreparedQuery, { total, version, foundFor }: FoundTotal): void {
    if (version === undefined) return;
    const { totalKey, plan } = query;
    this.#versionOf(query).observe(version);
    if (total !== undefined && this.#totals.peek(totalKey)?.version !== version)
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

  /**
   * The statement that reads a page of a query with this total at the least cost: from the nearer
   * end of the list, or along its index. Undefined for a page past the end.
   */
  locate(query: PreparedQuery, range: PageRange, known: KeptTotal): RowsStatement | undefined {
    const nearest = fromNearerEnd(query.statements, range, known.total);
    if (nearest === undefined || !this.#isDeep(nearest)) return nearest;
    const seek = this.find(query, range, known);
    if (seek === undefined) return nearest;
    const isNearer = seek.bindings.offset < nearest.bindings.offset;
    this.#counter?.count(isNearer);
    return isNearer ? seek : nearest;
  }

  /** Notes that a page is read: deep pages of a list without a quick path get one, if worth it. */
  want(query: PreparedQuery, { range, known, caller }: WantedPage): void {
    const nearest = fromNearerEnd(query.statements, range, known.total);
    if (nearest === undefined || !this.#isDeep(nearest)) return;
    const keys = this.#keysOf(query, known);
    if (keys !== undefined && seekFrom(keys, query, range) !== undefined) return;
    this.#counter?.count(false);
    if (this.#lists.noteAsked(query.orderKey)) this.#inTurn({ query, known, caller });
  }

  /** Keys along a list at the version of its total; undefined where there are none. */
  checkpoints(query: PreparedQuery, known: KeptTotal): Checkpoints | undefined {
    const index = this.#indexes.get(query.orderKey);
    if (index?.version === known.version) this.#lists.noteUse(query.orderKey);
    return this.#keysOf(query, known);
  }

  /** The path through the index of a list, if there is one of the total's version. */
  find(query: PreparedQuery, range: PageRange, known: KeptTotal): RowsStatement | undefined {
    const checkpoints = this.checkpoints(query, known);
    return checkpoints && seekFrom(checkpoints, query, range);
  }

  #isDeep({ bindings }: RowsStatement): boolean {
    return this.#indexing !== undefined && bindings.offset >= this.#indexing.minOffset;
  }

  /** Whoever reads a list from its beginning follows the index while it is built. */
  #keysOf({ orderKey }: PreparedQuery, { version }: KeptTotal): Checkpoints | undefined {
    const index = this.#indexes.peek(orderKey);
    if (index?.version === version) return checkpointsOf(index);
    const { list, index: growing } = this.#indexing?.builder.growing ?? {};
    return list === orderKey && growing?.version === version ? checkpointsOf(growing) : undefined;
  }

  #inTurn(wanted: WantedIndex): void {
    const { caller } = wanted;
    if (this.#indexing?.builder.isBusy === true) this.#waiting.add(caller, caller, wanted);
    else this.#begin(wanted);
  }

  /** Begins to build the index of a list where it is worth it. Returns whether it is. */
  #begin({ query, known }: WantedIndex): boolean {
    const list = query.orderKey;
    this.#deleteStale(list, known.version);
    if (this.#indexes.peek(list) !== undefined || !this.#lists.admits(list, known.total))
      return false;
    void this.#build(query, known);
    return true;
  }

  /** Never rejects, as the builder does not. */
  async #build(query: PreparedQuery, known: KeptTotal): Promise<void> {
    const build = await this.#indexing?.builder.build(query, known);
    if (build !== undefined) this.#keep(query, known, build);
    for (const wanted of this.#waiting.inOrder()) {
      this.#waiting.delete(wanted.caller);
      if (this.#begin(wanted)) return;
    }
  }

  #keep(
    { orderKey: list, plan }: PreparedQuery,
    { total }: KeptTotal,
    { outcome, index, buildMs }: Build,
  ): void {
    if (outcome === 'refused') this.#lists.noteRefused(list);
    else if (outcome !== 'built') this.#lists.noteInVain(list, buildMs);
    else if (this.#indexes.set(list, index, keptFor(plan.session)))
      this.#lists.noteKept(list, buildMs);
    else this.#lists.noteTooLong(list, total);
  }

  #deleteStale(list: string, version: string): void {
    const index = this.#indexes.peek(list);
    if (index === undefined || index.version === version) return;
    this.#indexes.delete(list);
    this.#lists.noteGone(list);
  }

  #versionOf({ plan }: PreparedQuery): DataVersion {
    return this.#versions.of(versionScope(plan));
  }
}
