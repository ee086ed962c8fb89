import type { Source } from '../sources/source.ts';
import type { Acceleration } from './acceleration.ts';
import { BoundedReader } from './bounded-reader.ts';
import type { MechanismCounters } from './cache-stats.ts';
import { CostMeter } from './cost-meter.ts';
import { CountBatcher } from './count-batcher.ts';
import {
  type CachedTotalParts,
  CachedTotalBatchReader,
  CachedTotalReader,
} from './cached-total.ts';
import {
  MaintainedReader,
  type MaintainedReaderParts,
  MaintainedTotalReader,
} from './maintained-reader.ts';
import { type DigestedPage, DigestedReader } from './digested-reader.ts';
import type { QueryCosts } from './query-costs.ts';
import { FacetReader, type FacetsReader, type FacetsReply } from './facet-reader.ts';
import type { ListQuestion, PageReader, Question, Reader } from './reader.ts';
import { RecordReader } from './record-reader.ts';
import type { Reply, ReplyCache } from './reply-cache.ts';
import { SingleFlight } from './single-flight.ts';
import { SnapshotReader } from './snapshot-reader.ts';

interface ChainParts extends CachedTotalParts, SharingParts<DigestedPage> {
  readonly source: Source;
  readonly costs: QueryCosts;
  /** Undefined where totals are not kept. */
  readonly maintained: MaintainedReaderParts | undefined;
}

/** What answers pages, each with its digest. */
export type DigestedPageReader = Reader<ListQuestion, DigestedPage>;

/**
 * The links between a question and the database, the last one first. What is kept is looked at
 * before a link that waits, and behind it: whoever waited finds what the read before has brought.
 */
export function composeChain(settings: Acceleration, parts: ChainParts): DigestedPageReader {
  const { coalescing, totalCache } = settings;
  const { counters, costs, maintained } = parts;
  const snapshots = new SnapshotReader(parts.source, counters);
  const metered = new CostMeter(costs, snapshots);
  const batches = totalCache ? new CachedTotalBatchReader(parts, metered) : metered;
  let pages: PageReader = snapshots;
  if (coalescing) pages = new CountBatcher({ costs, counters, next: batches });
  if (maintained !== undefined) pages = new MaintainedTotalReader(maintained, pages);
  if (totalCache) pages = new CachedTotalReader(parts, pages);
  if (maintained !== undefined) pages = new MaintainedReader(maintained, pages);
  const { source, knowledge } = parts;
  const rows = totalCache ? parts.rows : undefined;
  const followed = maintained?.pages;
  const bounded = new BoundedReader({ source, knowledge, rows, followed }, pages);
  const records = { source, knowledge, keepsTotals: totalCache, followed };
  const digested = new DigestedReader(new RecordReader(records, bounded));
  return shareAnswers(settings, parts, digested);
}

interface FacetsChainParts extends SharingParts<FacetsReply> {
  readonly source: Pick<Source, 'readFacets'>;
}

/** The links between a question for facets and the database. */
export function composeFacetsChain(settings: Acceleration, parts: FacetsChainParts): FacetsReader {
  return shareAnswers(settings, parts, new FacetReader(parts.source));
}

interface SharingParts<Answer extends Reply> {
  readonly replies: ReplyCache<Answer>;
  readonly counters: MechanismCounters;
}

/** The links that answer equal questions with one answer, whatever they ask. */
function shareAnswers<Asked extends Question, Answer extends Reply>(
  { coalescing, replyCache }: Acceleration,
  { replies, counters }: SharingParts<Answer>,
  found: Reader<Asked, Answer>,
): Reader<Asked, Answer> {
  let shared = found;
  if (coalescing && replyCache) shared = replies.before(shared);
  if (coalescing) shared = new SingleFlight(shared, counters);
  return replyCache ? replies.before(shared) : shared;
}
