import type { FeedWatch } from '@proj/engine';

import { labelled, type Row } from './row.ts';

export const FEED: readonly Row<FeedWatch>[] = [
  [
    'dynamic_query_feed_following',
    'Whether the change feed follows the server: 1 if so.',
    ({ status }) => (status.state === 'following' ? 1 : 0),
    { ofWorkers: 'min' },
  ],
  [
    'dynamic_query_feed_lag_bytes',
    'How far the change feed is behind the server, in bytes of the write-ahead log.',
    ({ status }) => status.lagBytes,
    { ofWorkers: 'max' },
  ],
  [
    'dynamic_query_feed_lag_seconds',
    'For how long the change feed has been behind the server.',
    ({ status }) => status.lagSeconds,
    { ofWorkers: 'max' },
  ],
  [
    'dynamic_query_feed_held_back_bytes',
    'How much of its write-ahead log the server keeps for the change feed.',
    ({ status }) => status.heldBackBytes,
    { ofWorkers: 'max' },
  ],
  [
    'dynamic_query_feed_memory_bytes',
    'What the changes that are kept take in memory, in bytes, estimated.',
    ({ status }) => status.memoryBytes,
  ],
  [
    'dynamic_query_feed_relations',
    'Relations whose changes are followed.',
    ({ status }) => status.relations,
    { ofWorkers: 'max' },
  ],
  [
    'dynamic_query_feed_snapshot_seconds',
    'For how long the base snapshot of filtered lists has been held: 0 where there is none.',
    ({ status }) => status.snapshotSeconds,
    { ofWorkers: 'max' },
  ],
  [
    'dynamic_query_feed_snapshot_rows',
    'Rows of a relation that may differ from the base snapshot, as of the last look.',
    ({ status }) => status.snapshotRows,
    { ofWorkers: 'max' },
  ],
  [
    'dynamic_query_feed_transactions_total',
    'Transactions that the change feed has read.',
    ({ status }) => status.transactions,
  ],
  [
    'dynamic_query_feed_waits_total',
    'Reads that waited for the change feed.',
    ({ status }) => status.waits,
  ],
  [
    'dynamic_query_feed_late_waits_total',
    'Reads that waited for the change feed in vain, and went on without it.',
    ({ status }) => status.lateWaits,
  ],
  [
    'dynamic_query_feed_wait_seconds_total',
    'How long reads have waited for the change feed together.',
    ({ status }) => status.waitSeconds,
  ],
  [
    'dynamic_query_feed_nudges_total',
    'Messages that were written to the log of the server, so that it is flushed.',
    ({ status }) => status.nudges,
  ],
  [
    'dynamic_query_feed_recounts_total',
    'Filtered lists that were followed and had to be counted again.',
    ({ status }) => status.recounts,
  ],
  [
    'dynamic_query_feed_drops_total',
    'How often the change feed was dropped after it had followed the server, by reason.',
    ({ status }) => labelled('reason', status.drops),
    { labels: ['reason'] },
  ],
];
