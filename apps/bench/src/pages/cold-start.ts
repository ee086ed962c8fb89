import type { BenchDatabase } from '../databases/open.ts';
import { pageRange } from '../load/page-sequence.ts';
import { median, timeOf } from '../median.ts';
import { untilQuiet } from '../processes/quiet.ts';
import type { ColdStart } from '../report/results.ts';
import type { Scenario } from '../scenarios.ts';
import { askPage } from '../subjects/pages.ts';
import { startRoute } from '../subjects/route.ts';
import { type Server, whileRunning } from '../subjects/server.ts';
import { startService } from '../subjects/service.ts';

interface ColdStartTerms extends Pick<Scenario, 'rows' | 'depth' | 'size'> {
  /** How often each is started. */
  readonly starts: number;
}

/**
 * Times the first deep request of fresh processes: the service, and the route that reads by OFFSET
 * and counts.
 */
export async function measureColdStart(
  database: BenchDatabase,
  { rows, depth, size, starts }: ColdStartTerms,
): Promise<ColdStart> {
  const { name, url } = database;
  const { from: page } = pageRange({ rows, depth, size, pattern: 'repeated' });
  const times = { service: [] as number[], route: [] as number[] };
  /** Both have their code compiled and a connection open by a request for the first page. */
  const firstAnswer = async (server: Server): Promise<number> => {
    const pids = [server.pid, ...(database.pid === undefined ? [] : [database.pid])];
    await askPage(server, rows, { page: 1, size });
    await untilQuiet(pids);
    const milliseconds = await timeOf(() => askPage(server, rows, { page, size }));
    await untilQuiet(pids);
    return milliseconds;
  };
  // The database's own memory is warm for both.
  await database.truePage(rows, { page, size });
  for (let left = starts; left > 0; left--) {
    await whileRunning(startService({ database, tables: [rows] }), async (server) => {
      times.service.push(await firstAnswer(server));
    });
    await whileRunning(startRoute({ kind: 'bare-count', database: name, url }), async (server) => {
      times.route.push(await firstAnswer(server));
    });
  }
  const [service, offsetAndCount] = [median(times.service), median(times.route)];
  return { database: name, rows, depth, service, offsetAndCount };
}
