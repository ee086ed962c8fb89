import type { BenchDatabase } from '../databases/open.ts';
import { startRoute } from '../subjects/route.ts';
import type { Server } from '../subjects/server.ts';
import { startService } from '../subjects/service.ts';

/** Times of fresh processes, in milliseconds. */
interface StartTimes {
  readonly service: readonly number[];
  /** Of Fastify and a driver, with one route that reads a page by OFFSET and counts. */
  readonly route: readonly number[];
}

/** Starts the route and the service in turns, and times each. */
export async function timeStarts(
  { name, url }: BenchDatabase,
  { rows, starts }: { readonly rows: number; readonly starts: number },
  time: (start: () => Promise<Server>) => Promise<number>,
): Promise<StartTimes> {
  const times = { service: [] as number[], route: [] as number[] };
  for (let left = starts; left > 0; left--) {
    times.route.push(await time(() => startRoute({ kind: 'bare-count', database: name, url })));
    times.service.push(await time(() => startService({ database: { url }, tables: [rows] })));
  }
  return times;
}
