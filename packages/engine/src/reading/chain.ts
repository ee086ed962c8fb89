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
import type { ListQuestion, PageReader, Reader } from './reader.ts';
import { RecordReader } from './record-reader.ts';
import type { ReplyCache } from './reply-cache.ts';
import { SingleFlight } from './single-flight.ts';
import { SnapshotReader } from './snapshot-reader.ts';

interface ChainParts extends CachedTotalParts {
  readonly source: Source;
  readonly costs: QueryCosts;
  readonly replies: ReplyCache<DigestedPage>;
  readonly counters: MechanismCounters;
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
  const { coalescing, totalCache, replyCache } = settings;
  const { counters, costs, replies, maintained } = parts;
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
  let found: DigestedPageReader = new DigestedReader(new RecordReader(records, bounded));
  if (coalescing && replyCache) found = replies.before(found);
  if (coalescing) found = new SingleFlight(found, counters);
  if (replyCache) found = replies.before(found);
  return found;
}
