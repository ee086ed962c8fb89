import type { BenchDatabase } from '../databases/open.ts';
import { loadInTurns, type Terms } from '../load/in-turns.ts';
import { pageRange } from '../load/page-sequence.ts';
import type { Measurement, SubjectName, WriteRecord } from '../report/results.ts';
import type { Scenario } from '../scenarios.ts';
import { askPage, checkAlike, pagesEntrant } from '../subjects/pages.ts';
import type { Route } from '../subjects/route.ts';
import type { Service } from '../subjects/service.ts';
import { startWriter } from '../writers/writer.ts';

/** Who is measured, and how. */
export interface Contest extends Pick<Terms, 'connections' | 'seconds' | 'rounds'> {
  readonly database: BenchDatabase;
  readonly service: Service;
  readonly routes: Readonly<Record<Exclude<SubjectName, 'service'>, Route>>;
}

interface Measured {
  readonly measurements: readonly Measurement[];
  readonly writes: WriteRecord | undefined;
}

/** While somebody writes, nothing is ever quiet. */
const PATIENCE_MS = 300;

/** Measures all subjects in one scenario, beside a writer where it has one. */
export async function measureScenario(contest: Contest, scenario: Scenario): Promise<Measured> {
  const { database, service, routes, ...terms } = contest;
  const { rows, size, writesPerSecond: perSecond } = scenario;
  const { from, to } = pageRange(scenario);
  for (const page of new Set([to, from])) {
    const answering = [service, routes.bare, routes['bare-count']];
    const asked = answering.map((server) => askPage(server, rows, { page, size }));
    const replies = await Promise.all(asked);
    checkAlike(replies);
    // The static route sends the very bytes of the service.
    await routes.static.setReply(replies[0] ?? '');
  }
  const writer = perSecond > 0 ? await startWriter({ database, rows, perSecond }) : undefined;
  const subjects = Object.entries({ service, ...routes });
  const entrants = subjects.map(([name, server]) => {
    return { ...pagesEntrant(server, scenario), worksOn: name === 'service' };
  });
  const patienceMs = writer && PATIENCE_MS;
  const totals = await loadInTurns(entrants, { ...terms, database: database.pid, patienceMs });
  const written = await writer?.stop();
  return {
    measurements: totals.map(({ latencies, ...counts }, index) => ({
      ...counts,
      scenario,
      subject: subjects[index]?.[0] as SubjectName,
      p50: latencies.quantile(0.5),
    })),
    writes: written && {
      scenario,
      perSecond: written.transactions / written.seconds,
      failed: written.failed,
    },
  };
}
