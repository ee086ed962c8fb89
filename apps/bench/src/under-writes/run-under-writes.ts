import type { DatabaseName } from '../databases/database.ts';
import { type BenchDatabase, withTable } from '../databases/open.ts';
import { formatNumber } from '../report/format.ts';
import type { TrialResult } from '../report/results.ts';
import { withService } from '../subjects/service.ts';
import { startWriter, type Writer } from '../writers/writer.ts';
import { measureTrial } from './measure-trial.ts';
import { openStage } from './stage.ts';
import {
  planLoads,
  planTrials,
  type Setup,
  SETUPS,
  type TrialFactors,
  trialLabel,
} from './trials.ts';

/** What a run measures beside writers. */
export interface UnderWritesOptions extends TrialFactors {
  readonly setups: readonly Setup[];
  /** How long each trial asks at the fixed rate, and then as fast as it is answered. */
  readonly trialSeconds: number;
  readonly connections: number;
  readonly log: (line: string) => void;
}

/** Reads pages of a database while others write, in each of its setups. */
export async function measureUnderWrites(
  database: DatabaseName,
  options: UnderWritesOptions,
): Promise<TrialResult[]> {
  const setups = options.setups.filter((setup) => SETUPS[setup].database === database);
  if (setups.length === 0) return [];
  const results: TrialResult[] = [];
  await withTable(database, options.rows, async (elsewhere) => {
    for (const setup of setups) {
      options.log(`${setup}: making ${options.rows} rows`);
      results.push(...(await measureSetup(setup, elsewhere, options)));
    }
  });
  return results;
}

/** @param elsewhere a server of its own, with a table of the same length */
async function measureSetup(
  setup: Setup,
  elsewhere: BenchDatabase,
  options: UnderWritesOptions,
): Promise<TrialResult[]> {
  const { rows, trialSeconds: seconds, connections, log } = options;
  const otherRows = Math.ceil(rows / 10);
  const { database, url, settings = {} } = await openStage(setup, [rows, otherRows]);
  const results: TrialResult[] = [];
  try {
    await withService({ database: { url }, tables: [rows], settings }, async (service) => {
      for (const load of planLoads(setup, options)) {
        const { writtenTo, perSecond } = load;
        const write = {
          database: writtenTo === 'another server' ? elsewhere : database,
          rows: writtenTo === 'another table' ? otherRows : rows,
          perSecond,
          isOneOpen: writtenTo === 'this table beside an open transaction',
        };
        const writer = writtenTo === 'nothing' ? IDLE : await startWriter(write);
        try {
          for (const trial of planTrials(setup, load, options)) {
            const result = await measureTrial(trial, { service, writer, seconds, connections });
            results.push(result);
            log(resultText(result));
          }
        } finally {
          await writer.stop();
        }
      }
    });
  } finally {
    await database.close();
  }
  return results;
}

function resultText({ trial, p50, p99, writes }: TrialResult): string {
  return (
    `${trialLabel(trial)}: p50 ${formatNumber(p50)} ms, p99 ${formatNumber(p99)} ms, ` +
    `${formatNumber(writes.perSecond)} writes/s`
  );
}

/** Nobody who writes. */
const IDLE: Pick<Writer, 'written'> & { stop(): Promise<unknown> } = {
  written: async () => ({ transactions: 0, seconds: 0, failed: 0 }),
  stop: async () => undefined,
};
