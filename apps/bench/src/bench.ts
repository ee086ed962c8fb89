import { measureColdStart } from './pages/cold-start.ts';
import { checkFreeSpace } from './free-space.ts';
import { measureFullRead } from './pages/full-read.ts';
import { machineFacts } from './machine.ts';
import { type Contest, measureScenario } from './pages/measure.ts';
import type { BenchOptions } from './options.ts';
import { type Child, startChild } from './processes/child.ts';
import type {
  ColdStart,
  FullRead,
  Measurement,
  Results,
  TrialResult,
  WriteRecord,
} from './report/results.ts';
import { planScenarios, referenceRows, type DatabaseName, scenarioLabel } from './scenarios.ts';
import { startBare } from './subjects/bare/bare-subject.ts';
import { httpSubject } from './subjects/http-subject.ts';
import { type Service, startService } from './subjects/service.ts';
import type { BenchDatabase } from './tables/bench-database.ts';
import { openTables } from './tables/open-tables.ts';
import { measureUnderWrites } from './under-writes/run-under-writes.ts';

/** What is found out, as it comes. */
interface Findings {
  readonly versions: string[];
  readonly measurements: Measurement[];
  readonly writes: WriteRecord[];
  readonly coldStarts: ColdStart[];
  readonly fullReads: FullRead[];
  readonly trials: TrialResult[];
}

interface Run {
  readonly options: BenchOptions;
  readonly loader: Child;
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
  const findings = noFindings();
  await checkFreeSpace(tablesOf(options));
  const loader = await startChild('./load/load-process', import.meta.url, null);
  try {
    const run = { options, loader, findings, log };
    for (const name of options.databases) {
      if (options.parts.includes('pages')) await measureDatabase(name, run);
      if (options.parts.includes('writes')) await measureWrites(name, run);
    }
  } finally {
    await loader.stop();
  }
  const { versions, ...found } = findings;
  const { connections, seconds } = options;
  return { facts: machineFacts(command, versions), connections, seconds, ...found };
}

/** The rows of one database at a time: under writes the longest table twice, and a tenth of it. */
function tablesOf({ parts, rows }: BenchOptions): number[] {
  const longest = Math.max(...rows);
  const written = parts.includes('writes') ? longest * 2.1 : 0;
  const read = parts.includes('pages') ? rows.reduce((sum, count) => sum + count, 0) : 0;
  return [Math.max(written, read)];
}

function noFindings(): Findings {
  return { versions: [], measurements: [], writes: [], coldStarts: [], fullReads: [], trials: [] };
}

async function measureDatabase(name: DatabaseName, run: Run): Promise<void> {
  const { options, findings, log } = run;
  log(`${name}: starting`);
  const database = await openTables(name, options.urls[name]);
  try {
    findings.versions.push(database.version);
    for (const rows of options.rows) {
      log(`${name}: making ${rows} rows`);
      await database.createTable(rows);
    }
    await withService(run, database, (service) => measureSubjects(run, database, service));
    await measureColdStarts(run, database);
    await measureWholeTable(run, database);
  } finally {
    await database.close();
  }
}

/** In the longest table, where a change costs most. */
async function measureWrites(name: DatabaseName, run: Run): Promise<void> {
  const { options, findings, log } = run;
  const { setups, written, lists, depths, connections } = options;
  const under = {
    setups,
    written,
    lists,
    depths,
    connections,
    rows: Math.max(...options.rows),
    rates: options.writeRates,
    seconds: options.trialSeconds,
  };
  findings.trials.push(...(await measureUnderWrites(name, under, log)));
}

async function withService(
  run: Run,
  database: BenchDatabase,
  use: (service: Service) => Promise<void>,
): Promise<void> {
  const service = await startService({ database, tables: run.options.rows });
  try {
    await use(service);
  } finally {
    await service.stop();
  }
}

async function measureSubjects(
  { options, loader, findings, log }: Run,
  database: BenchDatabase,
  service: Service,
): Promise<void> {
  const bare = await startBare('bare', database, loader);
  const counting = await startBare('bare-count', database, loader);
  const fixed = await startBare('static', database, loader);
  const started = [bare, counting, fixed];
  const { connections, seconds, rounds } = options;
  const subjects = [httpSubject({ name: 'service', ...service }, loader), ...started];
  const contest: Contest = { database, subjects, fixed, connections, seconds, rounds };
  try {
    for (const scenario of planScenarios(database.name, options)) {
      log(`${database.name}: ${scenarioLabel(scenario)}`);
      const { measurements, writes } = await measureScenario(contest, scenario);
      findings.measurements.push(...measurements);
      if (writes !== undefined) findings.writes.push(writes);
    }
  } finally {
    for (const subject of started) await subject.stop();
  }
}

/** In the longest table, where it costs most. */
async function measureColdStarts(
  { options, loader, findings, log }: Run,
  database: BenchDatabase,
): Promise<void> {
  const rows = Math.max(...options.rows);
  const [size = 10] = options.sizes;
  for (const depth of options.depths) {
    if (depth === 'first') continue;
    log(`${database.name}: first request for the ${depth} page of ${rows} rows`);
    findings.coldStarts.push(
      await measureColdStart(database, { rows, depth, size, starts: options.starts }, loader),
    );
  }
}

async function measureWholeTable(run: Run, database: BenchDatabase): Promise<void> {
  const rows = referenceRows(run.options.rows);
  run.log(`${database.name}: reading ${rows} rows`);
  await withService(run, database, async (service) => {
    run.findings.fullReads.push(await measureFullRead(database, rows, service));
  });
}
