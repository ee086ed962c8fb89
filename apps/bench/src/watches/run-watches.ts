import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';

import { startChild } from '../processes/child.ts';
import { type Usage, usageOf } from '../processes/usage.ts';
import { powerOfTen } from '../scenarios.ts';
import { type Service, withService } from '../subjects/service.ts';
import { tableName } from '../tables/bench-database.ts';
import { openStage, type Stage } from '../under-writes/stage.ts';
import { holdEvents } from './delays.ts';
import type { ListWriterInput } from './list-writer-process.ts';
import { type ListCommits, rangeOf, type WatcherEvents } from './watched-lists.ts';
import type { WatchersInput, WatchersQuestion } from './watchers-process.ts';

/** After the last write, events may take so long, in milliseconds. */
const LAST_EVENTS_MS = 30_000;

/** What is watched, and what is written meanwhile. */
export interface WatchesOptions {
  /** The length of the table. */
  readonly rows: number;
  /** Into how many lists it is divided. */
  readonly lists: number;
  readonly watchers: number;
  /** How many milliseconds are between two events of a watcher at least. */
  readonly every: number;
  /** Transactions per second, each of which makes one list longer. */
  readonly writes: number;
  readonly seconds: number;
  readonly print: (line: string) => void;
}

/**
 * Watches the lists of a followed table of PostgreSQL while they become longer. Prints how long
 * after a commit its event comes, and what the service takes of the machine.
 *
 * @throws {Error} when an event is wrong, or the last ones are not what the database counts.
 */
export async function runWatches(options: WatchesOptions): Promise<void> {
  const { rows } = options;
  const stage = await openStage('feed', [rows]);
  try {
    const settings = { ...stage.settings, rate_limits: { concurrent_watches: 'unlimited' } };
    const database = { ...stage.database, url: stage.url };
    await withService({ database, tables: [rows], settings }, (service) =>
      measure(stage, service, options),
    );
  } finally {
    await stage.close();
  }
}

async function measure(
  stage: Stage,
  { origin, token, pid }: Service,
  { rows, lists, watchers, every, writes, seconds, print }: WatchesOptions,
): Promise<void> {
  const model = tableName(rows);
  const bases = await countLists(stage.url, model, lists);
  const input: WatchersInput = { origin, token, model, lists, watchers, everyMs: every };
  const reader = await startChild('./watchers-process', import.meta.url, input);
  const before = usageOf(pid);
  const written: ListWriterInput = { url: stage.url, table: model, rows, lists, perSecond: writes };
  const writer = await startChild('./list-writer-process', import.meta.url, written);
  try {
    await sleep(seconds * 1000);
    const commits = (await writer.ask('stop')) as ListCommits[];
    const after = usageOf(pid);
    const counts = await countLists(stage.url, model, lists);
    const ask = async (question: WatchersQuestion): Promise<unknown> => reader.ask(question);
    await untilEqual(counts, async () => (await ask('totals')) as number[]);
    const events = (await ask('events')) as WatcherEvents[];
    const held = holdEvents(events, { bases, commits });
    const transactions = commits.reduce((sum, { done }) => sum + done.length, 0);
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
    await writer.stop();
    await reader.stop();
  }
}

/** How many records each list has, all in one snapshot. */
async function countLists(url: string, table: string, lists: number): Promise<number[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const counts = Array.from({ length: lists }, (_, list) => {
    const { from, to } = rangeOf(list, lists);
    return `count(*) filter (where amount >= ${from} and amount < ${to})::int`;
  });
  const { rows } = await client.query<number[]>({
    text: `select ${counts.join(', ')} from ${table}`,
    rowMode: 'array',
  });
  await client.end();
  return rows[0] ?? [];
}

/** Waits until each watcher has the total of its list. */
async function untilEqual(
  counts: readonly number[],
  read: () => Promise<readonly number[]>,
): Promise<void> {
  const until = performance.now() + LAST_EVENTS_MS;
  for (;;) {
    const totals = await read();
    const wrong = totals.filter((total, watcher) => total !== counts[watcher % counts.length]);
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
