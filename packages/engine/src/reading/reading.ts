import type { CacheStore } from '../cache-store.ts';
import type { Source } from '../sources/source.ts';
import { type AccessPaths, NEARER_END } from './access-paths.ts';
import type { Acceleration } from './acceleration.ts';
import { MechanismCounters, type MechanismStatistics } from './cache-stats.ts';
import { composeChain, composeFacetsChain, type DigestedPageReader } from './chain.ts';
import { DataVersions } from './data-version.ts';
import type { DigestedPage } from './digested-reader.ts';
import type { FacetsQuestion, FacetsReader, FacetsReply } from './facet-reader.ts';
import { FollowedPages } from './followed-pages.ts';
import { FollowedWork } from './followed-work.ts';
import { IndexBuilder, type IndexBuilds } from './index-builder.ts';
import { Knowledge } from './knowledge.ts';
import { MaintainedIndexes } from './maintained-indexes.ts';
import { maintainedCounter, type MaintainedReaderParts } from './maintained-reader.ts';
import { MaintainedTotals } from './maintained-totals.ts';
import { CachedTotalRows } from './cached-total-rows.ts';
import { PageIndexes } from './page-indexes.ts';
import { QueryCosts } from './query-costs.ts';
import { ReplyCache } from './reply-cache.ts';
import { ScanForecast } from './scan-forecast.ts';

/** What pages are read with. */
export interface ReadingParts {
  readonly source: Source;
  readonly settings: Acceleration;
  /** Where everything is kept that reading keeps. */
  readonly store: CacheStore;
  /** What queries cost, where that is known together with another reading of the same data. */
  readonly costs?: QueryCosts;
}

/** The chain that answers questions, and what surrounds it. */
export class Reading {
  readonly pages: DigestedPageReader;
  readonly facets: FacetsReader;
  /** What queries cost lately. */
  readonly costs: QueryCosts;
  /** Says which pages may cost much. */
  readonly forecast: ScanForecast;
  readonly #counters = new MechanismCounters();
  readonly #facets: ReplyCache<FacetsReply>;
  readonly #builder: IndexBuilder;
  readonly #counts: FollowedWork;
  readonly #lists: FollowedWork;

  constructor({ source, settings, store, costs = new QueryCosts(store) }: ReadingParts) {
    const counters = this.#counters;
    const versions = new DataVersions(source);
    this.#builder = new IndexBuilder(source, settings);
    this.#counts = new FollowedWork(source, settings.indexBuildMs);
    this.#lists = new FollowedWork(source, settings.indexBuildMs);
    const paths = this.#accessPaths(settings, store);
    const knowledge = new Knowledge({ versions, store, paths });
    const replies = new ReplyCache<DigestedPage>({
      versions,
      store,
      counters,
      sizeOf: bytesOfPage,
    });
    const facets = new ReplyCache<FacetsReply>({
      name: 'facets ',
      versions,
      store,
      counters,
      sizeOf: bytesOfPage,
    });
    this.#facets = facets;
    this.facets = composeFacetsChain(settings, { source, counters, replies: facets });
    this.costs = costs;
    this.forecast = new ScanForecast({ source, costs, knowledge, replies });
    this.pages = composeChain(settings, {
      source,
      counters,
      knowledge,
      maintained: this.#maintained(source, settings),
      costs,
      replies,
      rows: new CachedTotalRows({ source, knowledge, counters }),
    });
  }

  /** Whether facets may be read from the database: they are of whole lists. */
  mayScanFacets(question: FacetsQuestion): boolean {
    return !this.#facets.mayHave(question);
  }

  /** What each mechanism did since this was opened. */
  get statistics(): readonly MechanismStatistics[] {
    return this.#counters.statistics;
  }

  /** How page indexes were built since this was opened. */
  get indexBuilds(): IndexBuilds {
    return this.#builder.builds;
  }

  /** Stops what is read beside the queries of callers. */
  async close(): Promise<void> {
    await Promise.all([this.#builder, this.#counts, this.#lists].map((work) => work.close()));
  }

  #maintained(source: Source, settings: Acceleration): MaintainedReaderParts | undefined {
    if (!settings.totalCache || source.readFollowed === undefined) return undefined;
    const counters = this.#counters;
    const counter = maintainedCounter(counters);
    const indexes = settings.pageIndex
      ? new MaintainedIndexes({ counters, work: this.#lists })
      : undefined;
    const totals = new MaintainedTotals({ source, work: this.#counts });
    const minOffset = settings.pageIndexMinOffset;
    const pages = new FollowedPages({ source, totals, indexes, minOffset });
    return { pages, indexes, counter };
  }

  #accessPaths({ pageIndex, pageIndexMinOffset }: Acceleration, store: CacheStore): AccessPaths {
    if (!pageIndex) return NEARER_END;
    const [counters, builder] = [this.#counters, this.#builder];
    return new PageIndexes({ store, counters, builder, minOffset: pageIndexMinOffset });
  }
}

/** Beside the text of the records: total, version, digest, and the objects that hold them. */
const PAGE_BYTES = 500;

function bytesOfPage({ json }: Pick<DigestedPage, 'json'>): number {
  return (json?.length ?? 0) * 2 + PAGE_BYTES;
}
