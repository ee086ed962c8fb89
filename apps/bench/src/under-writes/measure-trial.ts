import { runLoad } from '../load/load.ts';
import { pageRange } from '../load/page-sequence.ts';
import { runPacedLoad } from '../load/paced-load.ts';
import type { TrialResult } from '../report/results.ts';
import { headersOf, queryBody, urlOf } from '../subjects/server.ts';
import type { Service } from '../subjects/service.ts';
import type { Writer, Written } from '../writers/writer.ts';
import { LISTS, type Trial } from './trials.ts';

/** The rate at which latencies are measured, in requests per second. */
export const FIXED_RATE = 50;

/** Requests before those that are measured: totals are counted. */
const WARM_UP_SECONDS = 1;

/**
 * A page index that follows the writes is built once, with pauses, and so are lists counted, which
 * takes so long at most: pages are measured when both are there, or cannot be had.
 */
const PREPARING_SECONDS = 90;

/** A median in milliseconds that no page of a long table has without them. */
const PREPARED_MS = 20;

const PAGE_SIZE = 10;

/** Who is measured, and how. */
export interface Measuring {
  readonly service: Service;
  readonly writer: Pick<Writer, 'written'>;
  /** How long is asked at the fixed rate, and then as fast as it is answered. */
  readonly seconds: number;
  readonly connections: number;
}

/** Measures latencies at a fixed rate, and beside them how many requests are answered at most. */
export async function measureTrial(
  trial: Trial,
  { service, writer, seconds, connections }: Measuring,
): Promise<TrialResult> {
  const target = { url: urlOf(service), headers: headersOf(service.token) };
  const bodies = bodiesOf(trial);
  const atRate = { ...target, bodies, perSecond: FIXED_RATE };
  const isPrepared = trial.depth === 'middle' || trial.lists !== 'whole';
  const mostSeconds = trial.setup === 'feed' && isPrepared ? PREPARING_SECONDS : 0;
  const until = performance.now() + mostSeconds * 1000;
  for (let median = Infinity; median > PREPARED_MS;) {
    const { latencies } = await runPacedLoad({ ...atRate, seconds: WARM_UP_SECONDS });
    median = performance.now() < until ? (latencies.quantile(0.5) ?? 0) : 0;
  }
  const before = await writer.written();
  const fixed = await runPacedLoad({ ...atRate, seconds });
  const writes = writesBetween(before, await writer.written());
  const sent = bodies.map((body) => ({ body }));
  const messages = Array.from({ length: connections }, () => sent);
  const most = await runLoad({ ...target, messages, seconds });
  return {
    trial,
    p50: fixed.latencies.quantile(0.5),
    p99: fixed.latencies.quantile(0.99),
    answered: fixed.answered + most.answered,
    requestsPerSecond: most.seconds > 0 ? most.answered / most.seconds : undefined,
    refused: fixed.refused + most.refused,
    failed: fixed.failed + most.failed,
    writes,
  };
}

function writesBetween(before: Written, after: Written): TrialResult['writes'] {
  const seconds = after.seconds - before.seconds;
  return {
    perSecond: seconds === 0 ? 0 : (after.transactions - before.transactions) / seconds,
    failed: after.failed - before.failed,
  };
}

/** One body for each list. */
export function bodiesOf({ rows, depth, lists }: Omit<Trial, 'setup' | 'writtenTo'>): string[] {
  const { share, parts } = LISTS[lists];
  const place = { rows: Math.floor(rows / share), size: PAGE_SIZE, depth } as const;
  const { from: page } = pageRange({ ...place, pattern: 'repeated' });
  return parts.map((part) => queryBody(rows, { page, size: PAGE_SIZE }, part));
}
