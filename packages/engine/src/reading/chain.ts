import type { Source } from '../sources/source.ts';
import type { Acceleration } from './acceleration.ts';
import { BoundedReader } from './bounded-reader.ts';
import { CostMeter } from './sharing/cost-meter.ts';
import { CountBatcher } from './sharing/count-batcher.ts';
import type { Knowledge } from './unchanged/knowledge.ts';
import { TotalCacheBatchReader } from './unchanged/total-cache.ts';
import type { UnchangedLists } from './unchanged/unchanged-lists.ts';
import { type DigestedPage, DigestedReader } from './digested-reader.ts';
import type { QueryCosts } from './sharing/query-costs.ts';
import type { KnownLists } from './known-lists.ts';
import { KnownReader } from './known-reader.ts';
import type { ListQuestion, PageReader, Reader } from './reader.ts';
import { RecordReader } from './record-reader.ts';
import { shareAnswers, type SharingParts } from './sharing/share-answers.ts';
import { SnapshotReader } from './snapshot-reader.ts';

interface ChainParts extends SharingParts<DigestedPage> {
  readonly source: Source;
  readonly knowledge: Knowledge;
  readonly costs: QueryCosts;
  /** The quickest first; none where totals are not kept. */
  readonly lists: readonly KnownLists[];
  /** The last of them. */
  readonly unchanged: UnchangedLists | undefined;
}

/** What answers pages, each with its digest. */
export type DigestedPageReader = Reader<ListQuestion, DigestedPage>;

/**
 * Composes the chain of links between a question and the database, beginning with the link that
 * reads from it. Kept totals are looked up twice: before a request waits for another one's count,
 * and again after it has waited, since that count may have brought the total.
 */
export function composeChain(settings: Acceleration, parts: ChainParts): DigestedPageReader {
  const { counters, costs, source, knowledge, lists, unchanged } = parts;
  const snapshots = new SnapshotReader(source, counters);
  const metered = new CostMeter(costs, snapshots);
  const batches = unchanged
    ? new TotalCacheBatchReader({ knowledge, unchanged }, metered)
    : metered;
  let pages: PageReader = snapshots;
  if (settings.singleFlight) pages = new CountBatcher({ costs, counters, next: batches });
  if (lists.length > 0) pages = new KnownReader(lists, pages);
  const bounded = new BoundedReader({ source, knowledge, lists }, pages);
  const records = new RecordReader({ source, knowledge, lists }, bounded);
  return shareAnswers(settings, parts, new DigestedReader(records));
}
