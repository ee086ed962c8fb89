import { setTimeout as sleep } from 'node:timers/promises';

import type { Comparison } from '../comparison.ts';
import { tableName } from '../databases/database.ts';
import type { BenchDatabase } from '../databases/open.ts';
import { type Usage, usageOf } from '../processes/usage.ts';
import { powerOfTen } from '../scenarios.ts';
import { type Service, withService } from '../subjects/service.ts';
import { openStage } from '../under-writes/stage.ts';
import { rangeOf, startWriter } from '../writers/writer.ts';
import { holdEvents, type WatcherEvents } from './delays.ts';
import { openWatchers, type Watched } from './watchers.ts';

/** After the last write, events may take so long, in milliseconds. */
const LAST_EVENTS_MS = 30_000;

/** What is watched, while lists become longer. */
export type WatchesOptions = Comparison<'rows' | 'writes' | 'seconds'> &
  Pick<Watched, 'lists' | 'watchers' | 'every'>;

/**
 * Watches the lists of a followed table of PostgreSQL while they become longer. Prints how long
 * after a commit its event comes, and what the service takes of the machine.
 *
 * @throws {Error} when an event is wrong, or the last ones are not what the database counts.
 */
export async function runWatches(options: WatchesOptions): Promise<void> {
  const { rows } = options;
  const { database, settings: follow } = await openStage('feed', [rows]);
  try {
    const settings = { ...follow, rate_limits: { concurrent_watches: 'unlimited' } };
    await withService({ database, tables: [rows], settings }, (service) =>
      measure(database, service, options),
    );
  } finally {
    await database.close();
  }
}

async function measure(
  database: BenchDatabase,
  service: Service,
  { writes, seconds, print, ...watched }: WatchesOptions,
): Promise<void> {
  const { rows, lists, watchers } = watched;
  const bases = await countLists(database, rows, lists);
  const { events, stop } = await openWatchers({ ...watched, service, model: tableName(rows) });
  try {
    const before = usageOf(service.pid);
    const writer = await startWriter({ database, rows, lists, perSecond: writes });
    await sleep(seconds * 1000);
    const { additions, transactions } = await writer.stop();
    const after = usageOf(service.pid);
    await untilEqual(await countLists(database, rows, lists), events);
    const held = holdEvents(events, { bases, commits: additions });
    const load =
      `${watchers} watchers of ${lists} lists, ${powerOfTen(rows)} rows, ` +
      `${Math.round(transactions / seconds)} writes/s`;
    const [p50, p99] = [0.5, 0.99].map((share) => Math.round(held.delays.quantile(share) ?? NaN));
    print(
      `${load}: ${held.events} events, ${held.wrong} of them wrong; delay p50 ${p50} ms, ` +
        `p99 ${p99} ms; ${usageText(before, after, { seconds, transactions })}`,
    );
    if (held.wrong > 0) throw new Error(`${held.wrong} events had a total that was not true.`);
  } finally {
    await stop();
  }
}

/** How many records each list has, all in one snapshot. */
async function countLists({ run }: BenchDatabase, rows: number, lists: number): Promise<number[]> {
  const counts = Array.from({ length: lists }, (_, list) => {
    const { from, to } = rangeOf(list, lists);
    return `count(*) filter (where amount >= ${from} and amount < ${to}) as list_${list}`;
  });
  const [row = {}] = await run(`select ${counts.join(', ')} from ${tableName(rows)}`);
  return Object.values(row).map(Number);
}

/** Waits until each watcher has the total of its list. */
async function untilEqual(
  counts: readonly number[],
  events: readonly WatcherEvents[],
): Promise<void> {
  const until = performance.now() + LAST_EVENTS_MS;
  for (;;) {
    const wrong = events.filter(({ list, totals }) => totals.at(-1) !== counts[list]);
    if (wrong.length === 0) return;
    if (performance.now() > until)
      throw new Error(`${wrong.length} watchers never had the total that the database counts.`);
    await sleep(100);
  }
}

/** What the service took; its watchers are connected before and after. */
function usageText(
  before: Usage | undefined,
  after: Usage | undefined,
  { seconds, transactions }: { readonly seconds: number; readonly transactions: number },
): string {
  if (before === undefined || after === undefined) return 'processor time and memory unknown';
  const cpuSeconds = after.cpuSeconds - before.cpuSeconds;
  const share = (100 * cpuSeconds) / seconds;
  // A share says little where the machine is too busy for all the writes.
  const each = (1e6 * cpuSeconds) / transactions;
  const [first, last] = [before, after].map(({ rssBytes }) => Math.round(rssBytes / 2 ** 20));
  const processor = `${share.toFixed(0)} % of a core, ${each.toFixed(0)} µs for each write`;
  return `${processor}; ${first} MiB at the start and ${last} at the end`;
}
