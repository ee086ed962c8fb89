import { runLoad } from '../load/load.ts';
import { pageRange } from '../load/page-sequence.ts';
import { runPacedLoad } from '../load/paced-load.ts';
import type { TrialResult } from '../report/results.ts';
import { headersOf, queryBody, urlOf } from '../subjects/server.ts';
import type { Service } from '../subjects/service.ts';
import type { Writer, Written } from '../writers/writer.ts';
import type { ListKind, Trial } from './trials.ts';

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

/** The lists that a trial reads in turns, each as the part of a request, and how long they are. */
interface ReadLists {
  readonly length: (rows: number) => number;
  readonly parts: readonly object[];
}

const numbered = (count: number, part: (number: number) => object): object[] =>
  Array.from({ length: count }, (_, number) => part(number));

/** Amounts are spread evenly from 0 to 10,000, and writers change them. */
const READ_LISTS: Record<ListKind, ReadLists> = {
  whole: { length: (rows) => rows, parts: [{}] },
  several: {
    length: (rows) => rows,
    parts: numbered(8, (list) =>
      list === 0 ? {} : { query_filter: { attribute: 'id', op: 'gt', value: String(list) } },
    ),
  },
  filtered: {
    length: (rows) => Math.floor(rows / 10),
    parts: [{ query_filter: { attribute: 'amount', op: 'lt', value: '1000' } }],
  },
  tenants: {
    length: (rows) => Math.floor(rows / 100),
    parts: numbered(100, (tenant) => ({
      query_filter: {
        attribute: 'amount',
        op: 'between',
        value: [`${tenant * 100}`, `${tenant * 100 + 99.99}`],
      },
    })),
  },
  ordered: { length: (rows) => rows, parts: [{ query_sort: [{ attribute: 'created_at' }] }] },
};

/** One body for each list. */
export function bodiesOf({ rows, depth, lists }: Omit<Trial, 'setup' | 'writtenTo'>): string[] {
  const { length, parts } = READ_LISTS[lists];
  const { from } = pageRange({ rows: length(rows), size: PAGE_SIZE, depth, pattern: 'repeated' });
  return parts.map((part) => queryBody(rows, { page: from, size: PAGE_SIZE }, part));
}
