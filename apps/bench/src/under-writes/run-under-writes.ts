import { startChild } from '../processes/child.ts';
import { formatNumber } from '../report/format.ts';
import type { TrialResult } from '../report/results.ts';
import type { DatabaseName } from '../scenarios.ts';
import { startService } from '../subjects/service.ts';
import { openTables } from '../tables/open-tables.ts';
import { type Loaders, type Measuring, measureTrial } from './measure-trial.ts';
import { openStage } from './stage.ts';
import {
  planLoads,
  planTrials,
  type Setup,
  SETUPS_OF,
  type Trial,
  type TrialFactors,
  trialLabel,
} from './trials.ts';
import { startWriteLoad, type WriteTargets } from './write-load.ts';

/** What a run measures beside writers. */
export interface UnderWritesOptions extends TrialFactors {
  readonly setups: readonly Setup[];
  /** How long each trial asks at the fixed rate, and then as fast as it is answered. */
  readonly seconds: number;
  readonly connections: number;
}

/** What trials are run with. */
interface Run extends Loaders {
  readonly options: UnderWritesOptions;
  readonly log: (line: string) => void;
}

/** Reads pages of a database while others write, in each of its setups. */
export async function measureUnderWrites(
  database: DatabaseName,
  options: UnderWritesOptions,
  log: Run['log'],
): Promise<TrialResult[]> {
  const setups = SETUPS_OF[database].filter((setup) => options.setups.includes(setup));
  if (setups.length === 0) return [];
  const paced = await startChild('./paced-load-process', import.meta.url, null);
  const loader = await startChild('../load/load-process', import.meta.url, null);
  const elsewhere = await openTables(database, undefined);
  const results: TrialResult[] = [];
  try {
    await elsewhere.createTable(options.rows);
    for (const setup of setups) {
      log(`${setup}: making ${options.rows} rows`);
      results.push(...(await measureSetup(setup, elsewhere, { options, paced, loader, log })));
    }
    return results;
  } finally {
    await elsewhere.close();
    await loader.stop();
    await paced.stop();
  }
}

async function measureSetup(
  setup: Setup,
  elsewhere: WriteTargets['elsewhere'],
  run: Run,
): Promise<TrialResult[]> {
  const { rows } = run.options;
  const otherRows = Math.ceil(rows / 10);
  const stage = await openStage(setup, [rows, otherRows]);
  const results: TrialResult[] = [];
  try {
    const { database, url, settings } = stage;
    const service = await startService({
      database: { ...database, url },
      tables: [rows],
      settings,
    });
    try {
      const targets = { database, elsewhere, rows, otherRows };
      const measuring = { ...run, ...run.options, service };
      for (const load of planLoads(setup, run.options)) {
        const trials = planTrials(setup, load, run.options);
        results.push(...(await measureLoad(trials, targets, measuring)));
      }
    } finally {
      await service.stop();
    }
  } finally {
    await stage.close();
  }
  return results;
}

/** All trials of one load of writers. */
async function measureLoad(
  trials: readonly Trial[],
  targets: WriteTargets,
  measuring: Omit<Measuring, 'writer'> & Pick<Run, 'log'>,
): Promise<TrialResult[]> {
  const [load] = trials;
  if (load === undefined) return [];
  const writer = await startWriteLoad(load, targets);
  const results: TrialResult[] = [];
  try {
    for (const trial of trials) {
      const result = await measureTrial(trial, { ...measuring, writer });
      const { p50, p99, writes } = result;
      measuring.log(
        `${trialLabel(trial)}: p50 ${formatNumber(p50)} ms, p99 ${formatNumber(p99)} ms, ` +
          `${formatNumber(writes.perSecond)} writes/s`,
      );
      results.push(result);
    }
    return results;
  } finally {
    await writer.stop();
  }
}
