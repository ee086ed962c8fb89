import type { FeedWatch } from '@proj/engine';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';

import { FEED } from './feed-rows.ts';
import { addRows } from './row.ts';

it('shows the figures of the change feed, as they are when the metrics are read', async () => {
  let state: 'following' | 'stopped' = 'following';
  const feed: FeedWatch = {
    get status() {
      return {
        state,
        reason: undefined,
        message: undefined,
        lagBytes: 1,
        lagSeconds: 2.5,
        heldBackBytes: 3,
        memoryBytes: 4,
        relations: 5,
        snapshotSeconds: 13.5,
        snapshotRows: 14,
        recounts: 15,
        transactions: 6,
        waits: 7,
        lateWaits: 8,
        waitSeconds: 9.5,
        nudges: 10,
        drops: new Map([
          ['behind', 11],
          ['connection', 12],
        ]),
      };
    },
    onChange: () => undefined,
  };
  const registry = new Registry();
  addRows(registry, FEED, () => [[feed, {}]]);
  const samples = (await registry.metrics()).split('\n').filter((line) => /^\w/.test(line));
  expect(samples).toEqual([
    'dynamic_query_feed_following 1',
    'dynamic_query_feed_lag_bytes 1',
    'dynamic_query_feed_lag_seconds 2.5',
    'dynamic_query_feed_held_back_bytes 3',
    'dynamic_query_feed_memory_bytes 4',
    'dynamic_query_feed_relations 5',
    'dynamic_query_feed_snapshot_seconds 13.5',
    'dynamic_query_feed_snapshot_rows 14',
    'dynamic_query_feed_transactions_total 6',
    'dynamic_query_feed_waits_total 7',
    'dynamic_query_feed_late_waits_total 8',
    'dynamic_query_feed_wait_seconds_total 9.5',
    'dynamic_query_feed_nudges_total 10',
    'dynamic_query_feed_recounts_total 15',
    'dynamic_query_feed_drops_total{reason="behind"} 11',
    'dynamic_query_feed_drops_total{reason="connection"} 12',
  ]);
  state = 'stopped';
  expect(await registry.metrics()).toContain('dynamic_query_feed_following 0');
});
