import type { Cache, CacheStore } from '../../cache-store.ts';
import { versionScope } from '../../planning/list-rows.ts';
import type { Checkpoints } from '../../sources/following/followed-moment.ts';
import { fromNearerEnd, type PageRange, type RowsStatement } from '../../sql/query-statements.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import { type HitCounter, keptFor, type MechanismCounters } from '../cache-stats.ts';
import type { FoundTotal, KeptTotal } from '../reader.ts';
import { ListAdmission } from '../list-admission.ts';
import type { DataVersion, DataVersions } from '../sharing/data-version.ts';
import type { Build, IndexBuilder } from './index-builder.ts';
import { bytesOfIndex, checkpointsOf, type PageIndex, seekFrom } from './page-index.ts';

/** The total, its version and their object. */
const TOTAL_BYTES = 200;

const LARGEST_PART = 1 / 2;

const MOST_WAITING = 100;

export interface WantedPage {
  readonly range: PageRange;
  readonly known: KeptTotal;
  readonly caller: string;
}

interface WantedIndex extends Pick<WantedPage, 'known'> {
  readonly query: PreparedQuery;
}

export interface IndexParts {
  readonly counters: MechanismCounters;
  readonly builder: Pick<IndexBuilder, 'isBusy' | 'growing' | 'build'>;
  readonly minOffset: number;
}

/** An index has every so-many-th key of a list whose deep pages are asked for again. */
export class KnownTotals {
  readonly #versions: DataVersions;
  readonly #totals: Cache<KeptTotal>;
  readonly #indexes: Cache<PageIndex>;
  readonly #indexing: IndexParts | undefined;
  readonly #counter: HitCounter | undefined;
  readonly #lists = new ListAdmission();
  /** The newest of each caller, in the order of their turns. */
  readonly #waiting = new Map<string, WantedIndex>();

  constructor(versions: DataVersions, store: CacheStore, indexing?: IndexParts) {
    this.#versions = versions;
    this.#totals = store.cache('total ', { sizeOf: () => TOTAL_BYTES });
    this.#indexes = store.cache('index ', { sizeOf: bytesOfIndex, largestPart: LARGEST_PART });
    this.#indexing = indexing;
    this.#counter = indexing?.counters.create('page_index', () => this.#indexes.bytes);
  }

  get bytes(): number {
    return this.#totals.bytes;
  }

  total(query: PreparedQuery): KeptTotal | undefined {
    const known = this.#totals.get(query.totalKey);
    if (known === undefined) return undefined;
    return this.versionOf(query).mayBeCurrent(known.version) ? known : undefined;
  }

  learn(query: PreparedQuery, { total, version, foundFor }: FoundTotal): void {
    if (version === undefined) return;
    const { totalKey, plan } = query;
    this.versionOf(query).observe(version);
    if (total !== undefined && this.#totals.peek(totalKey)?.version !== version)
      this.#totals.set(totalKey, { total, version, foundFor }, keptFor(plan.session));
  }

  versionOf({ plan }: PreparedQuery): DataVersion {
    return this.#versions.of(versionScope(plan));
  }

  /** From the nearer end, or by index. Undefined for a page past the end. */
  locate(query: PreparedQuery, range: PageRange, known: KeptTotal): RowsStatement | undefined {
    const nearest = fromNearerEnd(query.statements, range, known.total);
    if (nearest === undefined || !this.#isDeep(nearest)) return nearest;
    const checkpoints = this.checkpoints(query, known);
    const seek = checkpoints && seekFrom(checkpoints, query, range);
    if (seek === undefined) return nearest;
    const isNearer = seek.bindings.offset < nearest.bindings.offset;
    this.#counter?.count(isNearer);
    return isNearer ? seek : nearest;
  }

  /** Deep pages without a quick path get an index, if worth it. */
  want(query: PreparedQuery, { range, known, caller }: WantedPage): void {
    const nearest = fromNearerEnd(query.statements, range, known.total);
    if (nearest === undefined || !this.#isDeep(nearest)) return;
    const keys = this.#keysOf(query, known);
    if (keys !== undefined && seekFrom(keys, query, range) !== undefined) return;
    this.#counter?.count(false);
    if (!this.#lists.noteAsked(query.orderKey)) return;
    if (this.#indexing?.builder.isBusy !== true) this.#begin({ query, known });
    else if (this.#waiting.size < MOST_WAITING || this.#waiting.has(caller))
      this.#waiting.set(caller, { query, known });
  }

  checkpoints(query: PreparedQuery, known: KeptTotal): Checkpoints | undefined {
    const index = this.#indexes.get(query.orderKey);
    if (index?.version === known.version) this.#lists.noteUse(query.orderKey);
    return this.#keysOf(query, known);
  }

  #isDeep({ bindings }: RowsStatement): boolean {
    return this.#indexing !== undefined && bindings.offset >= this.#indexing.minOffset;
  }

  /** Reading from the beginning follows an index while it is built. */
  #keysOf({ orderKey }: PreparedQuery, { version }: KeptTotal): Checkpoints | undefined {
    const index = this.#indexes.peek(orderKey);
    if (index?.version === version) return checkpointsOf(index);
    const { list, index: growing } = this.#indexing?.builder.growing ?? {};
    return list === orderKey && growing?.version === version ? checkpointsOf(growing) : undefined;
  }

  #begin({ query, known }: WantedIndex): boolean {
    const list = query.orderKey;
    const index = this.#indexes.peek(list);
    if (index?.version === known.version) return false;
    this.#indexes.delete(list);
    this.#lists.noteGone(list);
    if (!this.#lists.admits(list, known.total)) return false;
    void this.#build(query, known);
    return true;
  }

  async #build(query: PreparedQuery, known: KeptTotal): Promise<void> {
    const build = await this.#indexing?.builder.build(query, known);
    if (build !== undefined) this.#keep(query, known, build);
    for (const [caller, wanted] of this.#waiting) {
      this.#waiting.delete(caller);
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
}
