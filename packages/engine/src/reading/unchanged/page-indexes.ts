import type { Cache, CacheStore } from '../../cache-store.ts';
import type { Checkpoints } from '../../sources/followed.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import type { PageRange, RowsStatement } from '../../sql/query-statements.ts';
import { type AccessPaths, NEARER_END, type WantedPage } from './access-paths.ts';
import { CallerTurns } from '../caller-turns.ts';
import type { HitCounter, MechanismCounters } from '../cache-stats.ts';
import { IndexAdmission, type UsedIndex } from './index-admission.ts';
import type { Build, IndexBuilder } from './index-builder.ts';
import type { CachedTotal } from '../facts.ts';
import { keptFor } from '../session-use.ts';
import { bytesOfIndex, checkpointsOf, type PageIndex, seekFrom } from './page-index.ts';

/** An index, what it cost and what it was good for. */
interface KeptIndex extends PageIndex, UsedIndex {}

/** An index that takes a larger part of the store is not kept. */
const LARGEST_PART = 1 / 2;

/** So many callers wait for their index. */
const MOST_WAITING = 100;

/** A list that is to get an index, with its total. */
interface WantedIndex {
  readonly query: PreparedQuery;
  readonly known: CachedTotal;
  readonly caller: string;
}

/** What page indexes are made of. */
export interface PageIndexesParts {
  readonly store: CacheStore;
  readonly counters: MechanismCounters;
  readonly builder: Pick<IndexBuilder, 'isBusy' | 'growing' | 'build'>;
  /** Pages that are nearer to an end of their list are read from there. */
  readonly minOffset: number;
}

/**
 * Access paths through indexes of deep pages: one pass over a list notes every so-many-th key, and
 * from then on any page costs a seek and a few records to pass over. A list gets one when deep
 * pages of it are asked for again.
 */
export class PageIndexes implements AccessPaths {
  readonly #indexes: Cache<KeptIndex>;
  readonly #counter: HitCounter;
  readonly #builder: PageIndexesParts['builder'];
  readonly #minOffset: number;
  readonly #admission = new IndexAdmission();
  /** What each caller asked for last while another index was built, by callers. */
  readonly #waiting = new CallerTurns<WantedIndex>(MOST_WAITING);

  constructor({ store, counters, builder, minOffset }: PageIndexesParts) {
    this.#indexes = store.cache<KeptIndex>('index ', {
      sizeOf: bytesOfIndex,
      largestPart: LARGEST_PART,
    });
    this.#counter = counters.create('page_index', () => this.#indexes.bytes);
    this.#builder = builder;
    this.#minOffset = minOffset;
  }

  locate(query: PreparedQuery, range: PageRange, known: CachedTotal): RowsStatement | undefined {
    const nearest = NEARER_END.locate(query, range, known);
    if (nearest === undefined || !this.#isDeep(nearest)) return nearest;
    const seek = this.find(query, range, known);
    if (seek === undefined) return nearest;
    const isNearer = seek.bindings.offset < nearest.bindings.offset;
    this.#counter.count(isNearer);
    return isNearer ? seek : nearest;
  }

  want(query: PreparedQuery, { range, known, caller }: WantedPage): void {
    const nearest = NEARER_END.locate(query, range, known);
    if (nearest === undefined || !this.#isDeep(nearest)) return;
    const keys = this.#keysOf(query, known);
    if (keys !== undefined && seekFrom(keys, query, range) !== undefined) return;
    this.#counter.count(false);
    if (this.#admission.noteAsked(query.orderKey)) this.#inTurn({ query, known, caller });
  }

  #isDeep({ bindings }: RowsStatement): boolean {
    return bindings.offset >= this.#minOffset;
  }

  checkpoints(query: PreparedQuery, known: CachedTotal): Checkpoints | undefined {
    const index = this.#indexes.get(query.orderKey);
    if (index?.version === known.version) index.uses += 1;
    return this.#keysOf(query, known);
  }

  /** Whoever reads a list from its beginning follows the index while it is built. */
  #keysOf({ orderKey }: PreparedQuery, { version }: CachedTotal): Checkpoints | undefined {
    const index = this.#indexes.peek(orderKey);
    if (index?.version === version) return checkpointsOf(index);
    const { list, index: growing } = this.#builder.growing ?? {};
    return list === orderKey && growing?.version === version ? checkpointsOf(growing) : undefined;
  }

  /** The path through the index of a list, if there is one of the total's version. */
  find(query: PreparedQuery, range: PageRange, known: CachedTotal): RowsStatement | undefined {
    const checkpoints = this.checkpoints(query, known);
    return checkpoints && seekFrom(checkpoints, query, range);
  }

  #inTurn(wanted: WantedIndex): void {
    const { caller } = wanted;
    if (this.#builder.isBusy) this.#waiting.add(caller, caller, wanted);
    else this.#begin(wanted);
  }

  /** Begins to build the index of a list where it is worth it. Returns whether it is. */
  #begin({ query, known }: WantedIndex): boolean {
    const list = query.orderKey;
    this.#deleteStale(list, known.version);
    if (this.#indexes.peek(list) !== undefined || !this.#admission.admits(list, known.total))
      return false;
    void this.#build(query, known);
    return true;
  }

  async #build(query: PreparedQuery, known: CachedTotal): Promise<void> {
    const build = await this.#builder.build(query, known);
    if (build !== undefined) this.#keep(query, known, build);
    this.#beginNext();
  }

  #beginNext(): void {
    for (const wanted of this.#waiting.inOrder()) {
      this.#waiting.delete(wanted.caller);
      if (this.#begin(wanted)) return;
    }
  }

  #keep(
    { orderKey: list, plan }: PreparedQuery,
    { total }: CachedTotal,
    { outcome, index, buildMs }: Build,
  ): void {
    if (outcome === 'refused') {
      this.#admission.noteRefused(list);
    } else if (outcome !== 'built') {
      this.#admission.noteInVain(list, buildMs);
    } else {
      const kept = { ...index, buildMs, uses: 0 };
      const isKept = this.#indexes.set(list, kept, keptFor(plan.session));
      if (!isKept) this.#admission.noteTooLong(list, total);
    }
  }

  #deleteStale(list: string, version: string): void {
    const index = this.#indexes.peek(list);
    if (index === undefined || index.version === version) return;
    this.#indexes.delete(list);
    this.#admission.noteGone(list, index);
  }
}
