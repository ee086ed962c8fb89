import { availableParallelism } from 'node:os';

import { untilQuiet } from '../processes/quiet.ts';
import { usageOf } from '../processes/usage.ts';
import type { Turn } from '../scenarios.ts';
import { Latencies } from './latencies.ts';
import type { Outcome } from './load.ts';

/** One round of an entrant. */
export interface Share extends Pick<Terms, 'connections' | 'seconds'> {
  readonly turn: Turn;
  /** Where set, exactly so many requests are sent, however long they take. */
  readonly amount?: number | undefined;
}

/** One of those that are compared. */
export interface Entrant {
  /** The process whose processor time counts. */
  readonly pid: number;
  /** Asks as the load does, once. Undefined where no request is slow, and nothing is prepared. */
  readonly probe?: () => Promise<unknown>;
  /** Whether it works in the background after its replies. */
  readonly worksOn?: boolean;
  readonly load: (share: Share) => Promise<Outcome>;
}

/** How entrants are compared. */
export interface Terms {
  readonly connections: number;
  /** For each entrant, all rounds together. */
  readonly seconds: number;
  readonly rounds?: number;
  /** The process of the database. */
  readonly database?: number | undefined;
  /** So long is waited until nothing works in the background, in milliseconds. */
  readonly patienceMs?: number | undefined;
}

/** What one entrant did in all rounds. */
export interface Total {
  readonly latencies: Latencies;
  answered: number;
  seconds: number;
  refused: number;
  failed: number;
  /** Processor time of the process and those that it started. */
  cpuSeconds: number;
}

const ROUNDS = 5;

/** So often an entrant is asked at most until what it needs is prepared, such as an index. */
const PROBES = 3;

/** Of the requests of a connection so many must fit into a round. */
const LEAST_IN_ROUND = 4;

/**
 * Loads the entrants in turns, so that the machine's moods hit all alike. The first round warms all
 * up. Of an entrant that is too slow for a round each connection sends one request instead, once;
 * so it does after a round without a reply.
 */
export async function loadInTurns(
  entrants: readonly Entrant[],
  terms: Terms,
): Promise<readonly Total[]> {
  const { connections, rounds = ROUNDS } = terms;
  const seconds = terms.seconds / rounds;
  const takers: { entrant: Entrant; total: Total; isSlow: boolean }[] = [];
  for (const entrant of entrants)
    takers.push({ entrant, total: noTotal(), isSlow: await isSlow(entrant, terms, seconds) });
  for (let number = 0; number <= rounds; number++) {
    // Who begins takes turns, so that none profits from the others.
    for (const { entrant, total, isSlow: once } of number % 2 === 0
      ? takers
      : takers.toReversed()) {
      if (once && number !== 1) continue;
      const before = cpuSecondsOf(entrant);
      const amount = once ? connections : undefined;
      const turn = { number, of: rounds + 1 };
      let outcome = await entrant.load({ turn, connections, seconds, amount });
      // A busy machine may answer none in a short round.
      if (outcome.answered + outcome.refused + outcome.failed === 0)
        outcome = await entrant.load({ turn, connections, seconds, amount: connections });
      // What an entrant leaves behind is its own cost, and must not be the next one's.
      if (once || entrant.worksOn === true) await settle(entrant, terms);
      if (number > 0) add(total, outcome, cpuSecondsOf(entrant) - before);
    }
  }
  return takers.map(({ total }) => total);
}

/** Whether a request takes too long for a round of so many seconds, once all is prepared. */
async function isSlow(entrant: Entrant, terms: Terms, seconds: number): Promise<boolean> {
  if (entrant.probe === undefined) return false;
  const limit = (seconds * 1000 * availableParallelism()) / terms.connections / LEAST_IN_ROUND;
  for (let left = PROBES; left > 0; left--) {
    const started = performance.now();
    await entrant.probe();
    if (performance.now() - started <= limit) return false;
    await settle(entrant, terms);
  }
  return true;
}

async function settle({ pid }: Entrant, { database, patienceMs }: Terms): Promise<void> {
  await untilQuiet([pid, database], patienceMs);
}

function noTotal(): Total {
  const counts = { answered: 0, seconds: 0, refused: 0, failed: 0, cpuSeconds: 0 };
  return { latencies: new Latencies(), ...counts };
}

function add(total: Total, outcome: Outcome, cpuSeconds: number): void {
  total.latencies.add(outcome.latencies);
  total.answered += outcome.answered;
  total.seconds += outcome.seconds;
  total.refused += outcome.refused;
  total.failed += outcome.failed;
  total.cpuSeconds += cpuSeconds;
}

function cpuSecondsOf({ pid }: Entrant): number {
  return usageOf(pid)?.cpuSeconds ?? NaN;
}

/** How the first of two compares with the second one: 1.05 is 5 % more. */
export function ratioText(totals: readonly Total[]): string {
  const [rate = NaN, otherRate = NaN] = totals.map(({ answered, seconds }) => answered / seconds);
  const [p50 = NaN, otherP50 = NaN] = totals.map(({ latencies }) => latencies.quantile(0.5) ?? NaN);
  const [cpu = NaN, otherCpu = NaN] = totals.map(({ cpuSeconds, answered }) => {
    return (cpuSeconds / answered) * 1e6;
  });
  const unanswered = totals.reduce((sum, { refused, failed }) => sum + refused + failed, 0);
  const ratios =
    `rate ${(rate / otherRate).toFixed(2)}, p50 ${(p50 / otherP50).toFixed(2)}, ` +
    `processor time of a request ${(cpu / otherCpu).toFixed(2)}`;
  const requests =
    `${rate.toFixed(0)} against ${otherRate.toFixed(0)} requests/s, ` +
    `${cpu.toFixed(0)} against ${otherCpu.toFixed(0)} µs`;
  const failures = unanswered === 0 ? '' : `, ${unanswered} requests without a good reply`;
  return `${ratios} (${requests}${failures})`;
}
