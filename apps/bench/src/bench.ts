import type { DatabaseName } from './databases/database.ts';
import { type BenchDatabase, openTables } from './databases/open.ts';
import { checkFreeSpace } from './free-space.ts';
import { machineFacts } from './machine.ts';
import type { BenchOptions } from './options.ts';
import { measureColdStart } from './pages/cold-start.ts';
import { measureFullRead } from './pages/full-read.ts';
import { type Contest, measureScenario } from './pages/measure.ts';
import type { Results } from './report/results.ts';
import { planScenarios, referenceRows, scenarioLabel } from './scenarios.ts';
import type { RouteKind } from './subjects/route-process.ts';
import { type Route, startRoute } from './subjects/route.ts';
import { withService } from './subjects/service.ts';
import { measureUnderWrites } from './under-writes/run-under-writes.ts';

type Part = 'measurements' | 'writes' | 'coldStarts' | 'fullReads' | 'trials';

/** What is found out, as it comes. */
type Findings = { [Name in Part]: Results[Name][number][] } & { readonly versions: string[] };

interface Run {
  readonly options: BenchOptions;
  readonly findings: Findings;
  /** Prints what is done at the moment. */
  readonly log: (line: string) => void;
}

/**
 * Measures everything that the options ask for.
 *
 * @throws {Error} when a subject answers wrongly, or a server does not start; nothing is left
 *   running.
 */
export async function runBench(
  options: BenchOptions,
  command: string,
  log: Run['log'],
): Promise<Results> {
  const { connections, seconds, databases, parts, rows } = options;
  const findings: Findings = {
    versions: [],
    measurements: [],
    writes: [],
    coldStarts: [],
    fullReads: [],
    trials: [],
  };
  await checkFreeSpace(longestTables(options));
  for (const name of databases) {
    if (parts.includes('pages')) await measureDatabase(name, { options, findings, log });
    if (parts.includes('writes')) {
      // In the longest table, where a change costs most.
      const trials = await measureUnderWrites(name, { ...options, rows: Math.max(...rows), log });
      findings.trials.push(...trials);
    }
  }
  const { versions, ...found } = findings;
  return { facts: machineFacts(command, versions), connections, seconds, ...found };
}

/** The rows of one database at a time: under writes the longest table twice, and a tenth of it. */
function longestTables({ parts, rows }: BenchOptions): number {
  const written = parts.includes('writes') ? Math.max(...rows) * 2.1 : 0;
  const read = parts.includes('pages') ? rows.reduce((sum, count) => sum + count, 0) : 0;
  return Math.max(written, read);
}

async function measureDatabase(name: DatabaseName, run: Run): Promise<void> {
  const { options, findings, log } = run;
  log(`${name}: starting`);
  const url = options.urls[name];
  const database = await openTables(name, url === undefined ? undefined : { url });
  const tables = options.rows;
  try {
    findings.versions.push(database.version);
    for (const rows of tables) {
      log(`${name}: making ${rows} rows`);
      await database.createTable(rows);
    }
    await withService({ database, tables }, async (service) => {
      const rows = referenceRows(tables);
      log(`${name}: reading ${rows} rows`);
      findings.fullReads.push(await measureFullRead(database, rows, service));
      await measureSubjects(run, { database, service });
    });
    await measureColdStarts(run, database);
  } finally {
    await database.close();
  }
}

async function measureSubjects(
  { options, findings, log }: Run,
  { database, service }: Pick<Contest, 'database' | 'service'>,
): Promise<void> {
  const { name, url } = database;
  const { connections, seconds, rounds } = options;
  const start = (kind: RouteKind): Promise<Route> => startRoute({ kind, database: name, url });
  const routes = {
    bare: await start('bare'),
    'bare-count': await start('bare-count'),
    static: await start('static'),
  };
  try {
    const contest = { database, service, routes, connections, seconds, rounds };
    for (const scenario of planScenarios(name, options)) {
      log(`${name}: ${scenarioLabel(scenario)}`);
      const { measurements, writes } = await measureScenario(contest, scenario);
      findings.measurements.push(...measurements);
      if (writes !== undefined) findings.writes.push(writes);
    }
  } finally {
    for (const route of Object.values(routes)) await route.stop();
  }
}

/** In the longest table, where it costs most. */
async function measureColdStarts(
  { options, findings, log }: Run,
  database: BenchDatabase,
): Promise<void> {
  const rows = Math.max(...options.rows);
  const { depths, starts, sizes } = options;
  const [size = 10] = sizes;
  for (const depth of depths.filter((each) => each !== 'first')) {
    log(`${database.name}: first request for the ${depth} page of ${rows} rows`);
    findings.coldStarts.push(await measureColdStart(database, { rows, depth, size, starts }));
  }
}
