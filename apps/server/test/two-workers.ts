import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { API_PATHS } from '@proj/contract';
import { type RunningService, startService } from '@proj/test-servers';
import { afterAll, onTestFinished } from 'vitest';

import { CITIES, cityQuery, CLOSING, makeDatabase, sendTo } from './helper.ts';
import { MAIN } from './server-process.ts';

export const TOKEN = 'dq_workers-0123456789abcdefghijklmnopqrstuvw';

/** A service of two workers, with the processes that it consists of. */
export interface Workers extends RunningService {
  readonly config: string;
  /** The database. */
  readonly file: string;
  readonly ask: (body?: unknown, token?: string) => Promise<Response>;
  readonly exportAll: (token?: string) => Promise<Response>;
  readonly metrics: () => Promise<string>;
  readonly workers: () => number[];
}

/** Starts a service that ends with the test. */
export async function startWorkers(settings: object = {}, sql = CITIES): Promise<Workers> {
  return openWorkers(settings, sql, onTestFinished);
}

/** Starts a service for the tests of one file. */
export async function sharedWorkers(settings: object = {}, sql = CITIES): Promise<Workers> {
  return openWorkers(settings, sql, afterAll);
}

async function openWorkers(
  settings: object,
  sql: string,
  atEnd: (end: () => void | Promise<void>) => void,
): Promise<Workers> {
  const { directory, file } = makeDatabase(sql);
  atEnd(() => rmSync(directory, { recursive: true, force: true }));
  const config = join(directory, 'settings.yaml');
  const all = { database: `sqlite:${file}`, expose: 'all', metrics: { port: 0 }, ...settings };
  writeFileSync(config, JSON.stringify(all));
  chmodSync(config, 0o600);
  const env = { DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN };
  const command = [process.execPath, MAIN, '--config', config, '--workers', '2'];
  const server = await startService(command, { env });
  atEnd(() => server.stop());
  return {
    ...server,
    config,
    file,
    ask: (body = cityQuery(1, 1), token = TOKEN) =>
      sendTo(server.origin, body, { token, headers: CLOSING }),
    exportAll: (token = TOKEN) => {
      const body = { query_model: 'cities', query_attributes: ['id', 'name'] };
      return sendTo(server.origin, body, {
        token,
        headers: CLOSING,
        path: `/${API_PATHS.export}`,
      });
    },
    metrics: async () => (await fetch(server.metricsUrl)).text(),
    workers: () => childrenOf(server.child.pid),
  };
}

export function childrenOf(pid = 0): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/).map(Number));
  return pairs.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}

export function metricOf(text: string, name: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}

/** What is logged then. */
export const REPLACED = 'a worker was started again';

/** Stops a process until the test ends at the latest. */
export function freeze(pid: number): void {
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => {
    try {
      process.kill(pid, 'SIGCONT');
    } catch {
      // It was replaced.
    }
  });
}

export const statusesOf = (replies: readonly Response[]): number[] =>
  replies.map(({ status }) => status);

export const timesIn = (log: string, line: string): number => log.split(line).length - 1;
