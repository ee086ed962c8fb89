import { CacheStore } from '../cache-store.ts';
import type { RelationPath } from '../catalogue/relation.ts';
import type { FollowedChanges, Source } from '../sources/source.ts';
import type { Acceleration } from './acceleration.ts';
import { MechanismCounters } from './cache-stats.ts';
import { DataVersions } from './sharing/data-version.ts';
import {
  FacetReader,
  type FacetsQuestion,
  type FacetsReader,
  type FacetsReply,
} from './facets/facet-reader.ts';
import { FollowedLists } from './followed/followed-lists.ts';
import type { KnownLists, ListQuestion, Question, Reader } from './reader.ts';
import { FollowedWork } from './followed/followed-work.ts';
import { IndexBuilder, type IndexBuilds } from './unchanged/index-builder.ts';
import { KnownTotals } from './unchanged/known-totals.ts';
import { FollowedIndexes } from './followed/followed-indexes.ts';
import { FollowedTotals } from './followed/followed-totals.ts';
import { QueryCosts } from './sharing/query-costs.ts';
import { type Reply, ReplyCache } from './sharing/reply-cache.ts';
import { type DigestedPage, PageReader } from './page-reader.ts';
import { CountBatcher } from './sharing/count-batcher.ts';
import { SingleFlight } from './sharing/single-flight.ts';
import { SnapshotReader } from './snapshot-reader.ts';
import { UnchangedLists } from './unchanged/unchanged-lists.ts';
import { DEEP_OFFSET } from '../sources/reads/page.ts';
import { fromNearerEnd } from '../sql/query-statements.ts';
import { followedRows } from './followed/followed-rows.ts';

export interface ReadingParts {
  readonly source: Source;
  readonly settings: Acceleration;
  readonly store: CacheStore;
  readonly primary?: Pick<Reading, 'costs' | 'counters'>;
}

export class Reading {
  readonly pages: Reader<ListQuestion, DigestedPage>;
  readonly facets: FacetsReader;
  readonly replies: {
    readonly pages: ReplyCache<DigestedPage>;
    readonly facets: ReplyCache<FacetsReply>;
  };
  readonly costs: QueryCosts;
  readonly mayScan: (question: ListQuestion) => boolean;
  readonly counters: MechanismCounters;
  readonly #store: CacheStore;
  readonly #versions: DataVersions;
  readonly #builder: IndexBuilder;
  readonly #settings: Acceleration;
  /** The same data on replicas, which may show other states. */
  readonly #elsewhere = new Map<Source, Reading>();
  readonly #closing: { close(): Promise<void> }[];

  constructor({ source, settings, store, primary }: ReadingParts) {
    this.#settings = settings;
    const { costs, counters } = primary ?? {
      costs: new QueryCosts(store),
      counters: new MechanismCounters(),
    };
    this.counters = counters;
    this.#store = store;
    const versions = (this.#versions = new DataVersions(source.versions));
    this.#builder = new IndexBuilder(source, settings);
    this.#closing = [this.#builder];
    const changes = source.changes?.followed;
    const minOffset = settings.pageIndexMinOffset;
    const indexing = settings.pageIndex
      ? { counters, builder: this.#builder, minOffset }
      : undefined;
    const knownTotals = new KnownTotals(versions, store, indexing);
    const replies = new ReplyCache<DigestedPage>({ versions, store, counters });
    const facets = new ReplyCache<FacetsReply>({ name: 'facets ', versions, store, counters });
    this.replies = { pages: replies, facets };
    this.facets = shareAnswers(settings, { counters, replies: facets }, new FacetReader(source));
    this.costs = costs;
    this.mayScan = (question) => mayScan(question, { changes, costs, knownTotals, replies });
    const unchanged = settings.totalCache
      ? new UnchangedLists({ source, knownTotals, counters })
      : undefined;
    const lists = unchanged ? [...this.#followedLists(source, changes), unchanged] : [];
    const snapshots = new SnapshotReader(source, costs, counters);
    const counted = settings.singleFlight
      ? new CountBatcher({ costs, counters, kept: unchanged, next: snapshots })
      : snapshots;
    const pages = new PageReader({ source, lists, counted });
    this.pages = shareAnswers(settings, { counters, replies }, pages);
  }

  mayScanFacets(question: FacetsQuestion): boolean {
    return !this.replies.facets.mayHave(question);
  }

  /** Read after the call; undefined where unknown. One check per turn of the event loop. */
  currentVersion(relations: readonly RelationPath[]): Promise<string | undefined> {
    return this.#versions.of(relations).check();
  }

  /** How many different settings values of a role have something kept, here or elsewhere. */
  sessionsOf(role: string): number {
    const stores = [this, ...this.#elsewhere.values()].map((one) => one.#store);
    return new Set(stores.flatMap((store) => store.valuesOf(role))).size;
  }

  get indexBuilds(): IndexBuilds {
    return this.#builder.builds;
  }

  on(source: Source): Reading {
    const known = this.#elsewhere.get(source);
    if (known !== undefined) return known;
    const settings = this.#settings;
    const store = new CacheStore(settings.memoryBytes);
    const reading = new Reading({ source, settings, store, primary: this });
    this.#elsewhere.set(source, reading);
    this.#closing.push(reading);
    return reading;
  }

  async close(): Promise<void> {
    await Promise.all(this.#closing.map((one) => one.close()));
  }

  #followedLists(source: Source, changes: FollowedChanges | undefined): KnownLists[] {
    if (changes === undefined) return [];
    const { counters } = this;
    const { leastCountMs, pageIndex, pageIndexMinOffset: minOffset } = this.#settings;
    const timeoutMs = this.#settings.indexBuildMs;
    const counting = new FollowedWork(changes, timeoutMs);
    const indexing = new FollowedWork(changes, timeoutMs);
    this.#closing.push(counting, indexing);
    const counter = counters.create('followed_total');
    const indexes = pageIndex ? new FollowedIndexes(counters, indexing) : undefined;
    const totals = new FollowedTotals({ changes, work: counting, leastCountMs });
    return [new FollowedLists({ source, changes, totals, indexes, minOffset, counter })];
  }
}

/** Looks up kept replies again after waiting: an equal request may have brought one. */
function shareAnswers<Asked extends Question, Answer extends Reply>(
  { singleFlight, replyCache }: Acceleration,
  { replies, counters }: { replies: ReplyCache<Answer>; counters: MechanismCounters },
  found: Reader<Asked, Answer>,
): Reader<Asked, Answer> {
  let shared = found;
  if (singleFlight && replyCache) shared = replies.before(shared);
  if (singleFlight) shared = new SingleFlight(shared, counters);
  return replyCache ? replies.before(shared) : shared;
}

interface ScanForecastParts {
  readonly changes: Pick<FollowedChanges, 'knowsTotal'> | undefined;
  readonly costs: QueryCosts;
  readonly knownTotals: KnownTotals;
  readonly replies: Pick<ReplyCache<Reply>, 'mayHave'>;
}

/** False where the list was cheap lately, a reply is kept, or a known total makes it quick. */
export function mayScan(
  question: ListQuestion,
  { changes, costs, knownTotals, replies }: ScanForecastParts,
): boolean {
  const { query } = question;
  if (!costs.isExpensive(query) || replies.mayHave(question)) return false;
  const known = knownTotals.total(query);
  if ('record' in question)
    return known === undefined || knownTotals.checkpoints(query, known) === undefined;
  const { range } = question;
  if (known !== undefined) {
    const nearest = fromNearerEnd(query.statements, range, known.total);
    return nearest !== undefined && nearest.bindings.offset > DEEP_OFFSET;
  }
  const { condition } = query.plan;
  const { relation, session } = followedRows(query) ?? {};
  const isFollowed =
    relation !== undefined && changes?.knowsTotal(relation, condition, session) === true;
  // Without filter or total, the beginning takes no count.
  const isBeginning = question.countLimit === 0 && condition === undefined;
  return !(isFollowed || isBeginning) || range.offset > DEEP_OFFSET;
}
