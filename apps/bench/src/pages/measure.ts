import { checkReplies } from './check.ts';
import { type Entrant, measurementOf, prepareEntrant, runRound } from '../load/entrant.ts';
import { pageRange } from '../load/page-sequence.ts';
import type { Measurement, WriteRecord } from '../report/results.ts';
import type { Scenario } from '../scenarios.ts';
import type { BareSubject } from '../subjects/bare/bare-subject.ts';
import type { Subject } from '../subjects/subject.ts';
import type { BenchDatabase } from '../tables/bench-database.ts';
import { startWriter, type Written } from '../writers/writer.ts';

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

/**
 * Measures all subjects in one scenario, in rounds that take turns, so that the machine's moods hit
 * all alike.
 */
export async function measureScenario(contest: Contest, scenario: Scenario): Promise<Measured> {
  const { database, subjects } = contest;
  await checkReplies(subjects, scenario, database);
  await setStaticReply(contest, scenario);
  const entrants: Entrant[] = [];
  for (const subject of subjects) entrants.push(await prepareEntrant(contest, scenario, subject));
  const { rows, writesPerSecond } = scenario;
  const writer =
    writesPerSecond > 0
      ? await startWriter(database, rows, { perSecond: writesPerSecond })
      : undefined;
  for (let round = 0; round < contest.rounds; round++) {
    for (const entrant of rotated(entrants, round))
      await runRound(contest, entrant, { scenario, round });
  }
  return {
    measurements: entrants.map((entrant) => measurementOf(scenario, entrant)),
    writes: writer && writeRecordOf(scenario, await writer.stop()),
  };
}

function writeRecordOf(
  scenario: Scenario,
  { transactions, seconds, failed }: Written,
): WriteRecord {
  return { scenario, perSecond: transactions / seconds, failed };
}

/** The static route sends the very bytes of the service. */
async function setStaticReply({ subjects, fixed }: Contest, scenario: Scenario): Promise<void> {
  const service = subjects.find(({ name }) => name === 'service');
  const reply = await service?.ask(scenario.rows, {
    page: pageRange(scenario).from,
    size: scenario.size,
  });
  await fixed.setReply(reply ?? '');
}

function rotated<Value>(values: readonly Value[], by: number): Value[] {
  const start = values.length === 0 ? 0 : by % values.length;
  return [...values.slice(start), ...values.slice(0, start)];
}
