import { availableParallelism } from 'node:os';

import { checkReplies } from './check.ts';
import { Latencies } from './latencies.ts';
import { untilQuiet } from './processes/quiet.ts';
import { usageOf } from './processes/usage.ts';
import type { Measurement, WriteRecord } from './report/results.ts';
import { pageRange, type Scenario } from './scenarios.ts';
import type { BareSubject } from './subjects/bare/bare-subject.ts';
import type { Outcome, Subject } from './subjects/subject.ts';
import type { BenchDatabase } from './tables/bench-database.ts';
import { startWriter } from './writers/writer.ts';

/** Who and how. */
export interface Contest {
  readonly database: BenchDatabase;
  readonly subjects: readonly Subject[];
  readonly fixed: BareSubject;
  readonly connections: number;
  /** For each subject, all rounds together. */
  readonly seconds: number;
  readonly rounds: number;
}

export interface Measured {
  readonly measurements: readonly Measurement[];
  readonly writes: WriteRecord | undefined;
}

/** A share of the measuring time for which a subject runs before it is measured. */
const WARM_UP = 0.25;

/**
 * Of these at least so many must fit into a round, or the subject is measured by a number of
 * requests instead of by time.
 */
const LEAST_IN_ROUND = 4;

/**
 * Measures all subjects in one scenario, in rounds that take turns, so that the machine's moods hit
 * all alike.
 */
export async function measureScenario(contest: Contest, scenario: Scenario): Promise<Measured> {
  const { database, subjects } = contest;
  await checkReplies(subjects, scenario, database);
  await setStaticReply(contest, scenario);
  const entrants: Entrant[] = [];
  for (const subject of subjects) entrants.push(await prepare(contest, scenario, subject));
  const writer =
    scenario.writesPerSecond > 0
      ? await startWriter(database, scenario.rows, scenario.writesPerSecond)
      : undefined;
  for (let round = 0; round < contest.rounds; round++) {
    for (const entrant of rotated(entrants, round))
      await runRound(contest, entrant, { scenario, round });
  }
  const written = await writer?.stop();
  return {
    measurements: entrants.map((entrant) => measurementOf(scenario, entrant)),
    writes: written && {
      scenario,
      perSecond: written.transactions / written.seconds,
      failed: written.failed,
    },
  };
}

interface Entrant {
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
async function prepare(contest: Contest, scenario: Scenario, subject: Subject): Promise<Entrant> {
  const { connections, seconds, rounds } = contest;
  const entrant = {
    subject,
    latencies: new Latencies(),
    answered: 0,
    seconds: 0,
    refused: 0,
    failed: 0,
    cpuSeconds: 0,
  };
  if (subject.ask === undefined) return { ...entrant, amount: undefined };
  const wanted = seconds / rounds / LEAST_IN_ROUND;
  const limitMs = (wanted * 1000 * availableParallelism()) / connections;
  if (!(await probe(contest, scenario, { subject, limitMs })))
    return { ...entrant, amount: connections };
  await subject.load({
    scenario,
    turn: { number: 0, of: rounds + 1 },
    connections,
    seconds: seconds * WARM_UP,
  });
  await settle(contest, { subject, amount: undefined });
  return { ...entrant, amount: undefined };
}

/**
 * Whether one request is answered within a time, in milliseconds, once what it needs has been
 * prepared.
 */
async function probe(
  contest: Contest,
  scenario: Scenario,
  { subject, limitMs }: Probed,
): Promise<boolean> {
  const request = { page: pageRange(scenario).to, size: scenario.size };
  for (let left = subject.name === 'service' ? 5 : 2; left > 0; left--) {
    const started = performance.now();
    await subject.ask?.(scenario.rows, request);
    if (performance.now() - started <= limitMs) return true;
    await settle(contest, { subject, amount: undefined });
  }
  return false;
}

interface Probed {
  readonly subject: Subject;
  readonly limitMs: number;
}

async function runRound(
  contest: Contest,
  entrant: Entrant,
  { scenario, round }: { readonly scenario: Scenario; readonly round: number },
): Promise<void> {
  const { subject, amount } = entrant;
  if (amount !== undefined && round > 0) return;
  const before = cpuOf(subject);
  const { connections, rounds } = contest;
  const turn = { number: round + 1, of: rounds + 1 };
  const outcome = await subject.load({
    scenario,
    turn,
    connections,
    seconds: contest.seconds / rounds,
    amount,
  });
  // What a subject leaves behind is its own cost, and must not be the next one's.
  await settle(contest, entrant, scenario.writesPerSecond > 0 ? 300 : undefined);
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

function measurementOf(
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

/** The static route sends the very bytes of the service. */
async function setStaticReply({ subjects, fixed }: Contest, scenario: Scenario): Promise<void> {
  const service = subjects.find(({ name }) => name === 'service');
  const reply = await service?.ask?.(scenario.rows, {
    page: pageRange(scenario).from,
    size: scenario.size,
  });
  await fixed.setReply(reply ?? '');
}

/** Only the service works in the background, and only slow requests are left unfinished. */
async function settle(
  { database }: Contest,
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

function rotated<Value>(values: readonly Value[], by: number): Value[] {
  const start = values.length === 0 ? 0 : by % values.length;
  return [...values.slice(start), ...values.slice(0, start)];
}
