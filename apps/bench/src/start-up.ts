import type { Comparison } from './comparison.ts';
import { withTable } from './databases/open.ts';
import { median } from './median.ts';
import { timeStarts } from './pages/starts.ts';
import { askPage } from './subjects/pages.ts';
import type { Server } from './subjects/server.ts';

const ROWS = 10_000;

/**
 * Prints for each database how long the service and the baseline route take until they have
 * answered their first page, and their ratio: medians.
 */
export async function runStartUp({
  databases,
  starts,
  print,
}: Comparison<'databases' | 'starts'>): Promise<void> {
  for (const name of databases) {
    await withTable(name, ROWS, async (database) => {
      const times = await timeStarts(database, { rows: ROWS, starts: starts + 1 }, timed);
      // The first of each is left out: it reads the programs from the disk.
      const [ours, bare] = [median(times.service.slice(1)), median(times.route.slice(1))];
      const both = `service ${ours.toFixed(0)} ms, baseline route ${bare.toFixed(0)} ms`;
      print(`${name}: ${both}, ratio ${(ours / bare).toFixed(2)}`);
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
