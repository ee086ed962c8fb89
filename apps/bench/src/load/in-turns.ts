import { Latencies } from './latencies.ts';
import { usageOf } from '../processes/usage.ts';
import type { Turn } from '../scenarios.ts';
import type { Outcome } from '../subjects/subject.ts';

const ROUNDS = 5;

/** One of two that are compared. */
export interface Entrant {
  /** The process whose processor time counts; undefined where none does. */
  readonly pid: number | undefined;
  readonly load: (turn: Turn, seconds: number) => Promise<Outcome>;
}

/** What one entrant did in all rounds. */
export interface Total {
  readonly latencies: Latencies;
  answered: number;
  seconds: number;
  unanswered: number;
  /** Processor time of the process and those that it started. */
  cpuSeconds: number;
}

/**
 * Loads the entrants in turns, so that the machine's moods hit all alike.
 *
 * @param seconds for each entrant, all rounds together
 */
export async function loadInTurns(
  entrants: readonly Entrant[],
  seconds: number,
): Promise<readonly Total[]> {
  const takers = entrants.map((entrant) => ({ entrant, total: noTotal() }));
  // The first round warms all up. Who begins takes turns, so that none profits from the others.
  for (let number = 0; number <= ROUNDS; number++) {
    for (const { entrant, total } of number % 2 === 0 ? takers : takers.toReversed()) {
      const before = cpuSecondsOf(entrant);
      const outcome = await entrant.load({ number, of: ROUNDS + 1 }, seconds / ROUNDS);
      if (number === 0) continue;
      total.latencies.add(outcome.latencies);
      total.answered += outcome.answered;
      total.seconds += outcome.seconds;
      total.unanswered += outcome.refused + outcome.failed;
      total.cpuSeconds += cpuSecondsOf(entrant) - before;
    }
  }
  return takers.map(({ total }) => total);
}

function noTotal(): Total {
  return { latencies: new Latencies(), answered: 0, seconds: 0, unanswered: 0, cpuSeconds: 0 };
}

function cpuSecondsOf({ pid = 0 }: Entrant): number {
  return usageOf(pid)?.cpuSeconds ?? NaN;
}

/** How the first of two compares with the second one: 1.05 is 5 % more. */
export function ratioText(totals: readonly Total[]): string {
  const [rate = NaN, otherRate = NaN] = totals.map(({ answered, seconds }) => answered / seconds);
  const [p50 = NaN, otherP50 = NaN] = totals.map(({ latencies }) => latencies.quantile(0.5) ?? NaN);
  const [cpu = NaN, otherCpu = NaN] = totals.map(({ cpuSeconds, answered }) => {
    return (cpuSeconds / answered) * 1e6;
  });
  const unanswered = totals.reduce((sum, total) => sum + total.unanswered, 0);
  const ratios =
    `rate ${(rate / otherRate).toFixed(2)}, p50 ${(p50 / otherP50).toFixed(2)}, ` +
    `processor time of a request ${(cpu / otherCpu).toFixed(2)}`;
  const requests =
    `${rate.toFixed(0)} against ${otherRate.toFixed(0)} requests/s, ` +
    `${cpu.toFixed(0)} against ${otherCpu.toFixed(0)} µs`;
  const failures = unanswered === 0 ? '' : `, ${unanswered} requests without a good reply`;
  return `${ratios} (${requests}${failures})`;
}
