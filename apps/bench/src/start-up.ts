import type { DatabaseName } from './databases/database.ts';
import { withTable } from './databases/open.ts';
import { median } from './median.ts';
import { askPage } from './subjects/pages.ts';
import { startRoute } from './subjects/route.ts';
import { startService } from './subjects/service.ts';
import type { Server } from './subjects/server.ts';

const ROWS = 10_000;

export interface StartUpOptions {
  readonly databases: readonly DatabaseName[];
  /** How often each is started. */
  readonly starts: number;
  readonly print: (line: string) => void;
}

/**
 * Starts the service and the baseline route, which reads a page by OFFSET and counts, in turns.
 * Prints for each database how long both take until they have answered their first page, and their
 * ratio: medians.
 */
export async function runStartUp({ databases, starts, print }: StartUpOptions): Promise<void> {
  for (const name of databases) {
    await withTable(name, ROWS, async (database) => {
      const services: number[] = [];
      const routes: number[] = [];
      for (let round = 0; round <= starts; round++) {
        services.push(await timed(() => startService({ database, tables: [ROWS] })));
        routes.push(
          await timed(() => startRoute({ kind: 'bare-count', database: name, url: database.url })),
        );
      }
      // The first of each is left out: it reads the programs from the disk.
      const [ours, bare] = [median(services.slice(1)), median(routes.slice(1))];
      const times = `service ${ours.toFixed(0)} ms, baseline route ${bare.toFixed(0)} ms`;
      print(`${name}: ${times}, ratio ${(ours / bare).toFixed(2)}`);
    });
  }
}

async function timed(start: () => Promise<Server>): Promise<number> {
  const started = performance.now();
  const server = await start();
  await askPage(server, ROWS, { page: 1, size: 10 });
  const milliseconds = performance.now() - started;
  await server.stop();
  return milliseconds;
}
