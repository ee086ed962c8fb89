import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { temporaryDatabase } from './helper.ts';
import { readersOf } from './processes.ts';
import { startServer } from './server-process.ts';
import { childrenOf, startWorkers } from './two-workers.ts';

/** The options of Node that a process was started with. */
function nodeOptions(pid: number): string | undefined {
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return environment.find((entry) => entry.startsWith('NODE_OPTIONS='));
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
