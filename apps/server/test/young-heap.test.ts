import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, vi } from 'vitest';

import { temporaryDatabase } from './helper.ts';
import { readersOf } from './processes.ts';
import { MAIN, startServer } from './server-process.ts';
import { childrenOf, startWorkers } from './two-workers.ts';

function variableOf(pid: number, name: string): string | undefined {
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return environment.find((entry) => entry.startsWith(`${name}=`));
}

/** The options of Node that a process was started with. */
function nodeOptions(pid: number): string | undefined {
  return variableOf(pid, 'NODE_OPTIONS');
}

const LIMIT = 'NODE_OPTIONS=--max-semi-space-size=16';

it.skipIf(process.platform !== 'linux')(
  'every process of a service limits the young part of its heap, whatever has started it',
  async () => {
    const { child, workers } = await startWorkers();
    expect([child.pid ?? 0, ...workers()].map(nodeOptions)).toEqual([LIMIT, LIMIT, LIMIT]);
    const readers = workers().flatMap(childrenOf);
    expect(new Set(readers.map(nodeOptions))).toEqual(
      new Set(['NODE_OPTIONS=--max-semi-space-size=4']),
    );
  },
);

it.skipIf(process.platform === 'win32')(
  'a service is the process that was started, with its arguments and the options of Node',
  async () => {
    const { file } = temporaryDatabase();
    const { child } = await startServer(['serve', '--database', `sqlite:${file}`], {
      EXPOSE: 'all',
    });
    const args = ['-o', 'args=', '-p', String(child.pid)];
    expect(execFileSync('ps', args, { encoding: 'utf8' })).toContain(`serve --database sqlite:`);
    expect(readersOf(file).length).toBeGreaterThan(0);
  },
);

it.skipIf(process.platform !== 'linux')(
  'a service and its readers keep compiled scripts beside the program, or where an operator says',
  async () => {
    const { file } = temporaryDatabase();
    const processesWith = async (cache: string | undefined): Promise<unknown[]> => {
      vi.stubEnv('NODE_COMPILE_CACHE', cache);
      const { pid, stop } = await startServer([], {
        DATABASE_URL: `sqlite:${file}`,
        EXPOSE: 'all',
      });
      const [reader = 0] = readersOf(file);
      const folders = [pid, reader].map((each) => variableOf(each, 'NODE_COMPILE_CACHE'));
      await stop();
      return folders;
    };
    const own = join(MAIN, '../../node_modules/.cache/dynamic-query');
    const beside = `NODE_COMPILE_CACHE=${own}`;
    expect(await processesWith(undefined)).toEqual([beside, beside]);
    expect(readdirSync(own).length).toBeGreaterThan(0);
    const other = join(file, '../cache');
    const elsewhere = `NODE_COMPILE_CACHE=${other}`;
    expect(await processesWith(other)).toEqual([elsewhere, elsewhere]);
  },
);
