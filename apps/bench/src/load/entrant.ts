import { availableParallelism } from 'node:os';

import { Latencies } from './latencies.ts';
import { untilQuiet } from '../processes/quiet.ts';
import { usageOf } from '../processes/usage.ts';
import type { Measurement } from '../report/results.ts';
import { pageRange } from './page-sequence.ts';
import type { Scenario } from '../scenarios.ts';
import type { Outcome, Subject } from '../subjects/subject.ts';
import type { BenchDatabase } from '../tables/bench-database.ts';

/** How a subject is measured. */
interface Terms {
  readonly database: Pick<BenchDatabase, 'pid'>;
  readonly connections: number;
  /** For each subject, all rounds together. */
  readonly seconds: number;
  readonly rounds: number;
}

/** A share of the measuring time for which a subject runs before it is measured. */
const WARM_UP = 0.25;

/**
 * Of these at least so many must fit into a round, or the subject is measured by a number of
 * requests instead of by time.
 */
const LEAST_IN_ROUND = 4;

/** A subject in one scenario, and what was measured of it so far. */
export interface Entrant {
  readonly subject: Subject;
  readonly latencies: Latencies;
  /** Set where requests are so slow that they are counted, not timed; there is one round then. */
  readonly amount: number | undefined;
  answered: number;
  seconds: number;
  refused: number;
  failed: number;
  cpuSeconds: number;
}

/**
 * Lets a subject do once what it does once, such as compiling or building an index, and finds out
 * how slow it is.
 */
export async function prepareEntrant(
  terms: Terms,
  scenario: Scenario,
  subject: Subject,
): Promise<Entrant> {
  const { connections, seconds, rounds } = terms;
  const wanted = seconds / rounds / LEAST_IN_ROUND;
  const limitMs = (wanted * 1000 * availableParallelism()) / connections;
  if (!(await probe(terms, scenario, { subject, limitMs })))
    return newEntrant(subject, connections);
  await subject.load({
    scenario,
    turn: { number: 0, of: rounds + 1 },
    connections,
    seconds: seconds * WARM_UP,
  });
  await settle(terms, { subject, amount: undefined });
  return newEntrant(subject, undefined);
}

function newEntrant(subject: Subject, amount: number | undefined): Entrant {
  return {
    subject,
    amount,
    latencies: new Latencies(),
    answered: 0,
    seconds: 0,
    refused: 0,
    failed: 0,
    cpuSeconds: 0,
  };
}

/**
 * Whether one request is answered within a time, in milliseconds, once what it needs has been
 * prepared.
 */
async function probe(
  terms: Terms,
  scenario: Scenario,
  { subject, limitMs }: Probed,
): Promise<boolean> {
  const request = { page: pageRange(scenario).to, size: scenario.size };
  for (let left = subject.name === 'service' ? 5 : 2; left > 0; left--) {
    const started = performance.now();
    await subject.ask(scenario.rows, request);
    if (performance.now() - started <= limitMs) return true;
    await settle(terms, { subject, amount: undefined });
  }
  return false;
}

interface Probed {
  readonly subject: Subject;
  readonly limitMs: number;
}

/** Lets a subject work for one round of a scenario, and adds what came of it. */
export async function runRound(
  terms: Terms,
  entrant: Entrant,
  { scenario, round }: { readonly scenario: Scenario; readonly round: number },
): Promise<void> {
  const { subject, amount } = entrant;
  if (amount !== undefined && round > 0) return;
  const { connections, rounds } = terms;
  const seconds = terms.seconds / rounds;
  const turn = { number: round + 1, of: rounds + 1 };
  const before = cpuOf(subject);
  const outcome = await subject.load({ scenario, turn, connections, seconds, amount });
  // What a subject leaves behind is its own cost, and must not be the next one's.
  await settle(terms, entrant, scenario.writesPerSecond > 0 ? 300 : undefined);
  collect(entrant, outcome);
  entrant.cpuSeconds += cpuOf(subject) - before;
}

function collect(
  entrant: Entrant,
  { answered, seconds, latencies, refused, failed }: Outcome,
): void {
  entrant.latencies.add(latencies);
  entrant.answered += answered;
  entrant.seconds += seconds;
  entrant.refused += refused;
  entrant.failed += failed;
}

/** What all rounds of a subject come to. */
export function measurementOf(
  scenario: Scenario,
  { subject, latencies, amount: _amount, cpuSeconds, ...sums }: Entrant,
): Measurement {
  const usage = subject.pid === undefined ? undefined : usageOf(subject.pid);
  return {
    ...sums,
    scenario,
    subject: subject.name,
    p50: latencies.quantile(0.5),
    p99: latencies.quantile(0.99),
    rssBytes: usage?.rssBytes,
    cpuSeconds: usage && cpuSeconds,
  };
}

/** Only the service works in the background, and only slow requests are left unfinished. */
async function settle(
  { database }: Terms,
  { subject, amount }: Pick<Entrant, 'subject' | 'amount'>,
  patienceMs?: number,
): Promise<void> {
  if (subject.name !== 'service' && amount === undefined) return;
  await untilQuiet(
    [subject.pid, database.pid].filter((id) => id !== undefined),
    patienceMs,
  );
}

function cpuOf({ pid }: Subject): number {
  return pid === undefined ? 0 : (usageOf(pid)?.cpuSeconds ?? 0);
}
