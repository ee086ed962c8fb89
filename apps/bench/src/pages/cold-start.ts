import { median } from '../median.ts';
import { untilQuiet } from '../processes/quiet.ts';
import type { Child } from '../processes/child.ts';
import type { ColdStart } from '../report/results.ts';
import { pageRange } from '../load/page-sequence.ts';
import type { Scenario } from '../scenarios.ts';
import { startBare } from '../subjects/bare/bare-subject.ts';
import { httpSubject } from '../subjects/http-subject.ts';
import { startService } from '../subjects/service.ts';
import type { Subject } from '../subjects/subject.ts';
import type { BenchDatabase, PageRequest } from '../tables/bench-database.ts';

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
  loader: Child,
): Promise<ColdStart> {
  const { from: page } = pageRange({ rows, depth, size, pattern: 'repeated' });
  const asked = { rows, page, size };
  const services: number[] = [];
  const offsets: number[] = [];
  // The database's own memory is warm for both.
  await database.truePage(rows, { page, size });
  for (let left = starts; left > 0; left--) {
    const started = await startService({ database, tables: [rows] });
    const service = httpSubject({ name: 'service', ...started }, loader);
    services.push(await firstAnswer(service, asked, database));
    const bare = await startBare('bare-count', database, loader);
    offsets.push(await firstAnswer(bare, asked, database));
  }
  return {
    database: database.name,
    rows,
    depth,
    service: median(services),
    offsetAndCount: median(offsets),
  };
}

interface Asked extends PageRequest {
  readonly rows: number;
}

/** Both have their code compiled and a connection open by a request for the first page. */
async function firstAnswer(
  subject: Subject,
  { rows, page, size }: Asked,
  database: BenchDatabase,
): Promise<number> {
  const pids = [subject.pid, database.pid].filter((id) => id !== undefined);
  await subject.ask(rows, { page: 1, size });
  await untilQuiet(pids);
  const started = performance.now();
  await subject.ask(rows, { page, size });
  const milliseconds = performance.now() - started;
  await untilQuiet(pids);
  await subject.stop();
  return milliseconds;
}
