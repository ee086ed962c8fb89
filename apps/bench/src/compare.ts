import { join } from 'node:path';

import { Latencies } from './latencies.ts';
import { type Child, startChild } from './processes/child.ts';
import { usageOf } from './processes/usage.ts';
import { type DatabaseName, planScenarios, type Scenario, scenarioLabel } from './scenarios.ts';
import { httpSubject } from './subjects/http-subject.ts';
import { type ServiceOptions, startService } from './subjects/service.ts';
import type { Subject } from './subjects/subject.ts';
import { openTables } from './tables/open-tables.ts';

const ROWS = 100_000;
const CONNECTIONS = 16;
const ROUNDS = 5;

/** How the services that are compared are started. */
type Start = Pick<ServiceOptions, 'program' | 'settings'>;

/** How a comparison is made. */
interface CompareRun {
  readonly databases: readonly DatabaseName[];
  /** For each of the two in each scenario, all rounds together. */
  readonly seconds: number;
  readonly print: (line: string) => void;
}

/** What is compared. */
export interface CompareOptions extends CompareRun {
  /** The folder of a checkout of another commit, with its packages built. */
  readonly checkout: string;
}

/** What is compared. */
export interface CompareSettingsOptions extends CompareRun {
  /** Settings that the first service has and the other one has not. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * Loads the service of this checkout and that of another one in turns, over the same tables, and
 * prints how the rate, the median latency and the processor time of this one compare: 1.05 is 5 %
 * more.
 */
export async function runCompare({ checkout, ...run }: CompareOptions): Promise<void> {
  const program = join(checkout, 'apps', 'server', 'dist', 'main.js');
  await compare([{}, { program }], run);
}

/** As {@link runCompare}, of a service with some settings and one without them. */
export async function runCompareSettings({
  settings,
  ...run
}: CompareSettingsOptions): Promise<void> {
  await compare([{ settings }, {}], run);
}

async function compare(starts: readonly [Start, Start], run: CompareRun): Promise<void> {
  const loader = await startChild('./load-process', import.meta.url, null);
  try {
    for (const database of run.databases) await compareOver(database, { ...run, starts }, loader);
  } finally {
    await loader.stop();
  }
}

async function compareOver(
  name: DatabaseName,
  { starts, seconds, print }: CompareRun & { readonly starts: readonly Start[] },
  loader: Child,
): Promise<void> {
  const database = await openTables(name, undefined);
  const builds: Subject[] = [];
  try {
    await database.createTable(ROWS);
    for (const start of starts) {
      const service = await startService({ database, tables: [ROWS], ...start });
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
  /** Processor time of the service and its processes. */
  cpuSeconds: number;
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
    cpuSeconds: 0,
  }));
  const entrants = builds.map((build, index) => ({ build, total: totals[index] }));
  // The first round warms both up. Who begins takes turns, so that neither profits from the other.
  for (let number = 0; number <= ROUNDS; number++) {
    for (const { build, total } of number % 2 === 0 ? entrants : entrants.toReversed()) {
      const share = { scenario, turn: { number, of: ROUNDS + 1 }, connections: CONNECTIONS };
      const before = cpuSecondsOf(build);
      const outcome = await build.load({ ...share, seconds: seconds / ROUNDS });
      if (number === 0 || total === undefined) continue;
      total.latencies.add(outcome.latencies);
      total.answered += outcome.answered;
      total.seconds += outcome.seconds;
      total.unanswered += outcome.refused + outcome.failed;
      total.cpuSeconds += cpuSecondsOf(build) - before;
    }
  }
  return lineOf(scenario, totals);
}

function cpuSecondsOf({ pid = 0 }: Subject): number {
  return usageOf(pid)?.cpuSeconds ?? NaN;
}

function lineOf(scenario: Scenario, totals: readonly Total[]): string {
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
  return `${scenario.database}, ${scenarioLabel(scenario)}: ${ratios} (${requests}${failures})`;
}
