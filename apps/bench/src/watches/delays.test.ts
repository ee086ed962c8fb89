import { expect, test } from 'vitest';

import { holdEvents } from './delays.ts';

/** A list of 10 records, to which three are added after 100, 200 and 300 ms. */
const TRUTH = {
  bases: [10],
  commits: [{ sent: [99, 199, 299], done: [100, 200, 300] }],
};

const events = (...shown: readonly (readonly [number, number])[]) => ({
  list: 0,
  totals: shown.map(([, total]) => total),
  at: shown.map(([at]) => at),
});

test('each commit has the time until the first event with it, of each watcher', () => {
  const {
    events: count,
    wrong,
    delays,
  } = holdEvents([events([0, 10], [150, 11], [340, 13]), events([0, 10], [310, 13])], TRUTH);
  expect([count, wrong, delays.total]).toEqual([5, 0, 6]);
  expect(delays.quantile(0)).toBeCloseTo(10, 0);
  expect(delays.quantile(1)).toBeCloseTo(210, -1);
});

test.each([
  ['a record that nobody had added by then', events([0, 10], [150, 12])],
  ['more records than were added', events([400, 14])],
  ['fewer records than an event before', events([250, 12], [260, 11])],
])('an event is wrong that has %s', (_what, watcher) => {
  expect(holdEvents([watcher], TRUTH).wrong).toBe(1);
});
