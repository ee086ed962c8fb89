import { join } from 'node:path';

import { Latencies } from './latencies.ts';
import { type Child, startChild } from './processes/child.ts';
import { type DatabaseName, planScenarios, type Scenario, scenarioLabel } from './scenarios.ts';
import { httpSubject } from './subjects/http-subject.ts';
import { startService } from './subjects/service.ts';
import type { Subject } from './subjects/subject.ts';
import { openTables } from './tables/open-tables.ts';

const ROWS = 100_000;
const CONNECTIONS = 16;
const ROUNDS = 5;

/** What is compared. */
export interface CompareOptions {
  /** The folder of a checkout of another commit, with its packages built. */
  readonly checkout: string;
  readonly databases: readonly DatabaseName[];
  /** For each build in each scenario, all rounds together. */
  readonly seconds: number;
  readonly print: (line: string) => void;
}

/**
 * Loads the service of this checkout and that of another one in turns, over the same tables, and
 * prints how the rate and the median latency of this one compare: 1.05 is 5 % more.
 */
export async function runCompare(options: CompareOptions): Promise<void> {
  const loader = await startChild('./load-process', import.meta.url, null);
  try {
    for (const database of options.databases) await compareOver(database, options, loader);
  } finally {
    await loader.stop();
  }
}

async function compareOver(
  name: DatabaseName,
  { checkout, seconds, print }: CompareOptions,
  loader: Child,
): Promise<void> {
  const database = await openTables(name, undefined);
  const builds: Subject[] = [];
  try {
    await database.createTable(ROWS);
    for (const program of [undefined, join(checkout, 'apps', 'server', 'dist', 'main.js')]) {
      const service = await startService({ database, tables: [ROWS], program });
      builds.push(httpSubject({ name: 'service', ...service }, loader));
    }
    for (const scenario of scenariosOf(name)) print(await compareIn(scenario, builds, seconds));
  } finally {
    for (const build of builds) await build.stop();
    await database.close();
  }
}

/** First, middle and last pages, the same again and again and varied. */
function scenariosOf(database: DatabaseName): Scenario[] {
  const depths = ['first', 'middle', 'last'] as const;
  return planScenarios(database, { rows: [ROWS], sizes: [10], depths, writes: [0], full: false });
}

/** What one build did in one scenario. */
interface Total {
  readonly latencies: Latencies;
  answered: number;
  seconds: number;
  unanswered: number;
}

async function compareIn(
  scenario: Scenario,
  builds: readonly Subject[],
  seconds: number,
): Promise<string> {
  const totals = builds.map((): Total => ({
    latencies: new Latencies(),
    answered: 0,
    seconds: 0,
    unanswered: 0,
  }));
  const entrants = builds.map((build, index) => ({ build, total: totals[index] }));
  // The first round warms both up. Who begins takes turns, so that neither profits from the other.
  for (let number = 0; number <= ROUNDS; number++) {
    for (const { build, total } of number % 2 === 0 ? entrants : entrants.toReversed()) {
      const share = { scenario, turn: { number, of: ROUNDS + 1 }, connections: CONNECTIONS };
      const outcome = await build.load({ ...share, seconds: seconds / ROUNDS });
      if (number === 0 || total === undefined) continue;
      total.latencies.add(outcome.latencies);
      total.answered += outcome.answered;
      total.seconds += outcome.seconds;
      total.unanswered += outcome.refused + outcome.failed;
    }
  }
  return lineOf(scenario, totals);
}

function lineOf(scenario: Scenario, totals: readonly Total[]): string {
  const [rate = NaN, otherRate = NaN] = totals.map(({ answered, seconds }) => answered / seconds);
  const [p50 = NaN, otherP50 = NaN] = totals.map(({ latencies }) => latencies.quantile(0.5) ?? NaN);
  const unanswered = totals.reduce((sum, total) => sum + total.unanswered, 0);
  const ratios = `rate ${(rate / otherRate).toFixed(2)}, p50 ${(p50 / otherP50).toFixed(2)}`;
  const requests = `${rate.toFixed(0)} against ${otherRate.toFixed(0)} requests/s`;
  const failures = unanswered === 0 ? '' : `, ${unanswered} requests without a good reply`;
  return `${scenario.database}, ${scenarioLabel(scenario)}: ${ratios} (${requests}${failures})`;
}
