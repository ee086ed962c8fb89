import type { BenchDatabase } from '../databases/open.ts';
import { pageRange } from '../load/page-sequence.ts';
import { median, timeOf } from '../median.ts';
import { untilQuiet } from '../processes/quiet.ts';
import type { ColdStart } from '../report/results.ts';
import type { Scenario } from '../scenarios.ts';
import { askPage } from '../subjects/pages.ts';
import type { Server } from '../subjects/server.ts';
import { timeStarts } from './starts.ts';

interface ColdStartTerms extends Pick<Scenario, 'rows' | 'depth' | 'size'> {
  /** How often each is started. */
  readonly starts: number;
}

/** Times the first deep request of fresh processes. */
export async function measureColdStart(
  database: BenchDatabase,
  terms: ColdStartTerms,
): Promise<ColdStart> {
  const { rows, depth, size } = terms;
  const { from: page } = pageRange({ rows, depth, size, pattern: 'repeated' });
  /** Both have their code compiled and a connection open by a request for the first page. */
  const firstAnswer = async (start: () => Promise<Server>): Promise<number> => {
    const server = await start();
    const pids = [server.pid, database.pid];
    await askPage(server, rows, { page: 1, size });
    await untilQuiet(pids);
    const milliseconds = await timeOf(() => askPage(server, rows, { page, size }));
    await untilQuiet(pids);
    await server.stop();
    return milliseconds;
  };
  const { service, route } = await timeStarts(database, terms, firstAnswer);
  const medians = { service: median(service), offsetAndCount: median(route) };
  return { database: database.name, rows, depth, ...medians };
}
