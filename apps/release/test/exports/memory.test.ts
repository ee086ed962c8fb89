import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

import { createClient } from '@proj/client';
import { describe, expect, it, onTestFinished } from 'vitest';

import { CLERK, type Service, startService } from '../availability/service.ts';
import { residentMiB } from '../support/processes.ts';
import { unmet } from '../support/programs.ts';
import { type CountedTable, OPEN_TABLE } from './counted-tables.ts';

const ROWS = 3_000_000;

/** So much of the list is read while the service warms up. */
const WARM_UP = 0.1;

const SAMPLE_MS = 100;

const COMMITS_PER_SECOND = 100;

const left = unmet({ programs: ['mariadbd'] });

describe.skipIf(left !== '').each(['postgres', 'mariadb', 'sqlite'] as const)(
  `an export of ${ROWS} records of %s while others write${left}`,
  (name) => {
    it('has those of one snapshot, and takes as much memory (±10 %) all the time', async () => {
      const table = await OPEN_TABLE[name](ROWS);
      onTestFinished(() => table.close());
      const service = await startService(
        `database: ${table.url}\nlimits: { export_timeout_ms: 900000 }`,
      );
      onTestFinished(() => service.stop());
      const { list, made } = await whileWriting(table, () => exportAll(service));
      const { total, commits, lines, memory } = list;
      const [least, most] = [Math.min(...memory), Math.max(...memory)];
      const mean = memory.reduce((sum, mebibytes) => sum + mebibytes, 0) / memory.length;
      console.info(
        `${name}: ${least.toFixed(0)} to ${most.toFixed(0)} MiB in ${memory.length} samples, ` +
          `${mean.toFixed(0)} on average, beside ${made} commits.`,
      );
      expect({ total, lines }).toEqual({ total: ROWS + commits, lines: ROWS + commits });
      expect(made).toBeGreaterThan(commits);
      expect(least).toBeGreaterThan(mean * 0.9);
      expect(most).toBeLessThan(mean * 1.1);
    });
  },
);

/** Commits about a hundred times a second, one after the other, for as long as a list is read. */
async function whileWriting<List>(
  { commit }: CountedTable,
  read: () => Promise<List>,
): Promise<{ readonly list: List; readonly made: number }> {
  const ending = new AbortController();
  let made = 0;
  const write = async (): Promise<void> => {
    for (; !ending.signal.aborted; made += 1) {
      await commit();
      // The pace of the writer is the load.
      await setTimeout(1000 / COMMITS_PER_SECOND);
    }
  };
  const writing = write();
  const list = await read().finally(() => ending.abort());
  await writing;
  return { list, made };
}

interface Exported {
  readonly total: number;
  /** How many commits the first record counts. */
  readonly commits: number;
  readonly lines: number;
  /** What the service and its readers took since it was warm, in MiB. */
  readonly memory: readonly number[];
}

async function exportAll({ origin, pid }: Service): Promise<Exported> {
  const client = createClient({ baseUrl: origin, token: CLERK });
  const list = { model: 'numbers', attributes: ['id', 'n', 'note'] } as const;
  const { total, body } = await client.exportFile(list, { format: 'jsonl' });
  let [lines, commits] = [0, 0];
  const memory: number[] = [];
  const watching = setInterval(() => {
    if (lines > Number(total) * WARM_UP) memory.push(residentMiB(pid));
  }, SAMPLE_MS);
  onTestFinished(() => clearInterval(watching));
  for await (const line of createInterface({ input: Readable.from(body) })) {
    if (lines === 0) commits = Number((JSON.parse(line) as { n: unknown }).n);
    lines += 1;
  }
  clearInterval(watching);
  return { total: Number(total), commits, lines, memory };
}
