import { join } from 'node:path';

import { loadInTurns, ratioText } from './load/in-turns.ts';
import { type Child, startChild } from './processes/child.ts';
import {
  type DatabaseName,
  planScenarios,
  type Scenario,
  scenarioLabel,
  type Turn,
} from './scenarios.ts';
import { httpSubject } from './subjects/http-subject.ts';
import { type ServiceOptions, startService } from './subjects/service.ts';
import type { Subject } from './subjects/subject.ts';
import { openTables } from './tables/open-tables.ts';

const ROWS = 100_000;
const CONNECTIONS = 16;

/** How the services that are compared are started. */
type Start = Pick<ServiceOptions, 'program' | 'settings'>;

/** How a comparison is made. */
interface CompareRun {
  readonly databases: readonly DatabaseName[];
  /** For each of the two in each scenario, all rounds together. */
  readonly seconds: number;
  readonly print: (line: string) => void;
}

/**
 * Loads the service of this checkout and that of another one in turns, over the same tables, and
 * prints how the rate, the median latency and the processor time of this one compare: 1.05 is 5 %
 * more.
 *
 * @param checkout the folder of a checkout of another commit, with its packages built
 */
export async function runCompare(checkout: string, run: CompareRun): Promise<void> {
  const program = join(checkout, 'apps', 'server', 'dist', 'main.js');
  await compare([{}, { program }], run);
}

/**
 * As {@link runCompare}, of a service with some settings and one without them.
 */
export async function runCompareSettings(
  settings: Readonly<Record<string, unknown>>,
  run: CompareRun,
): Promise<void> {
  await compare([{ settings }, {}], run);
}

async function compare(starts: readonly [Start, Start], run: CompareRun): Promise<void> {
  const loader = await startChild('./load/load-process', import.meta.url, null);
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

async function compareIn(
  scenario: Scenario,
  builds: readonly Subject[],
  seconds: number,
): Promise<string> {
  const entrants = builds.map((build) => ({
    pid: build.pid,
    load: (turn: Turn, share: number) =>
      build.load({ scenario, turn, connections: CONNECTIONS, seconds: share }),
  }));
  const ratios = ratioText(await loadInTurns(entrants, seconds));
  return `${scenario.database}, ${scenarioLabel(scenario)}: ${ratios}`;
}
