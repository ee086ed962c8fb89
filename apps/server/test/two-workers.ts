import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { API_PATHS } from '@proj/contract';
import type { RunningService } from '@proj/test-servers';

import { CITIES, cityQuery, QUERY_PATH, temporaryDatabase } from './helper.ts';
import { startServer } from './server-process.ts';

export const TOKEN = 'dq_workers-0123456789abcdefghijklmnopqrstuvw';

/** A service of two workers, with the processes that it consists of. */
export interface Workers extends RunningService {
  readonly config: string;
  /** The database. */
  readonly file: string;
  readonly ask: (body?: unknown, token?: string) => Promise<Response>;
  readonly exportAll: () => Promise<Response>;
  readonly metrics: () => Promise<string>;
  readonly workers: () => number[];
}

export async function startWorkers(settings: object = {}, sql = CITIES): Promise<Workers> {
  const { directory, file } = temporaryDatabase(sql);
  const config = join(directory, 'settings.yaml');
  const all = { database: `sqlite:${file}`, expose: 'all', metrics: { port: 0 }, ...settings };
  writeFileSync(config, JSON.stringify(all));
  chmodSync(config, 0o600);
  const env = { DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN };
  const server = await startServer(['--config', config, '--workers', '2'], env);
  return {
    ...server,
    config,
    file,
    ask: (body = cityQuery(1, 1), token = TOKEN) => send(server.origin + QUERY_PATH, token, body),
    exportAll: () => {
      const body = { query_model: 'cities', query_attributes: ['id', 'name'] };
      return send(`${server.origin}/${API_PATHS.export}`, TOKEN, body);
    },
    metrics: async () => (await fetch(server.metricsUrl)).text(),
    workers: () => childrenOf(server.child.pid),
  };
}

/** Each request has a connection of its own, so that every worker gets some. */
function send(url: string, token: string, body: unknown): Promise<Response> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    connection: 'close',
  };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
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
