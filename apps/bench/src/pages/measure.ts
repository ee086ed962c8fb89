import type { BenchDatabase } from '../databases/open.ts';
import { loadInTurns } from '../load/in-turns.ts';
import { pageRange } from '../load/page-sequence.ts';
import type { Measurement, SubjectName, WriteRecord } from '../report/results.ts';
import type { Scenario } from '../scenarios.ts';
import { askPage, pagesEntrant } from '../subjects/pages.ts';
import type { Route } from '../subjects/route.ts';
import type { Server } from '../subjects/server.ts';
import type { Service } from '../subjects/service.ts';
import { startWriter } from '../writers/writer.ts';
import { checkReplies } from './check.ts';

/** Who and how. */
export interface Contest {
  readonly database: BenchDatabase;
  readonly service: Service;
  /** The route that sends the same again and again. */
  readonly fixed: Route;
  /** All of them, by their names. */
  readonly subjects: ReadonlyMap<SubjectName, Server>;
  readonly connections: number;
  /** For each subject, all rounds together. */
  readonly seconds: number;
  readonly rounds: number;
}

interface Measured {
  readonly measurements: readonly Measurement[];
  readonly writes: WriteRecord | undefined;
}

/** While somebody writes, nothing is ever quiet. */
const PATIENCE_MS = 300;

/** Measures all subjects in one scenario, beside a writer where it has one. */
export async function measureScenario(contest: Contest, scenario: Scenario): Promise<Measured> {
  const { database, service, fixed, subjects, ...terms } = contest;
  const { rows, size, writesPerSecond: perSecond } = scenario;
  await checkReplies(subjects, scenario, database);
  // The static route sends the very bytes of the service.
  await fixed.setReply(await askPage(service, rows, { page: pageRange(scenario).from, size }));
  const writer = perSecond > 0 ? await startWriter({ database, rows, perSecond }) : undefined;
  const entrants = [...subjects.values()].map((server) => pagesEntrant(server, scenario));
  const patienceMs = writer && PATIENCE_MS;
  const totals = await loadInTurns(entrants, { ...terms, database: database.pid, patienceMs });
  const written = await writer?.stop();
  const names = [...subjects.keys()];
  return {
    measurements: totals.map(({ latencies, ...counts }, index) => ({
      ...counts,
      scenario,
      subject: names[index] ?? 'service',
      p50: latencies.quantile(0.5),
    })),
    writes: written && {
      scenario,
      perSecond: written.transactions / written.seconds,
      failed: written.failed,
    },
  };
}
