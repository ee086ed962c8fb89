import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type RunningService, startService as startCommand } from '@proj/test-servers';

import { ROOT } from '../repository.ts';
import { type PageQuery, readReply, type Reply } from './ask.ts';

const MAIN = join(ROOT, 'apps/server/dist/main.js');

/** The token that may read everything. */
export const TOKEN = 'dq_release-suite-0123456789abcdefghijklmnopqrst';

/** How a service is started. */
export interface ServiceOptions {
  /** Its URL; default: what the settings name. */
  readonly database?: string;
  /** The settings file; JSON is YAML too. Its text where it is no object. */
  readonly settings?: object | string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The port at which it has to listen. Default: one that is free. */
  readonly port?: number;
  /** What answers once it counts as started. Default: it says so itself. */
  readonly answers?: '/livez' | '/readyz';
  /** A line of the shell that starts the program given as `"$@"`; it must `exec` it. */
  readonly shell?: string;
}

/** The built service as an operator runs it. */
export interface Service extends RunningService {
  /** The settings file. */
  readonly file: string;
  readonly ask: (
    query: PageQuery,
    options?: { readonly token?: string; readonly signal?: AbortSignal },
  ) => Promise<Reply>;
  /** Sends a body as it is. */
  readonly send: (
    body: string | Uint8Array<ArrayBuffer>,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Reply>;
  readonly get: (path: string) => Promise<Reply>;
}

/** What is served unless a test says otherwise. Its time limit is none that a busy machine passes. */
export const SETTINGS = { expose: 'all', limits: { query_timeout_ms: 30_000 } };

/**
 * The view `slow` too, and a time limit that a test has time for. Not for tests that write: the
 * service proves declared keys in the background, and a reader of SQLite keeps writers out.
 */
export const WITH_SLOW = {
  expose: 'all',
  models: { slow: { key: ['id'] } },
  limits: { query_timeout_ms: 2000 },
};

/**
 * Starts the service and waits until it answers.
 *
 * @throws {Error} with what it printed, when it ends before that.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { command, env, file, remove } = await prepare(options);
  const { port, answers } = options;
  const start = { env, ...(port && { port }), ...(answers && { answers }) };
  const service = await startCommand(command, start).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  void service.ended.then(remove, remove);
  return { ...service, file, ...asking(service.origin) };
}

async function prepare({
  database,
  settings = SETTINGS,
  args = [],
  env = {},
  shell,
}: ServiceOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-service-'));
  const file = join(folder, 'settings.yaml');
  const text = typeof settings === 'string' ? settings : JSON.stringify(settings);
  await writeFile(file, text, { mode: 0o600 });
  const own = database === undefined ? [] : ['--database', database];
  const program = [process.execPath, MAIN, 'serve', '--config', file, ...own, ...args];
  return {
    command: shell === undefined ? program : ['sh', '-c', shell, 'sh', ...program],
    env: { DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN, ...env },
    file,
    remove: async (): Promise<void> => rm(folder, { recursive: true, force: true }),
  };
}

function asking(origin: string): Pick<Service, 'ask' | 'send' | 'get'> {
  const url = `${origin}/api/v1/dynamic/query`;
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  return {
    ask: async (query, { token = TOKEN, signal } = {}) => {
      const named = { ...headers, authorization: `Bearer ${token}` };
      const request = { method: 'POST', headers: named, body: JSON.stringify(query) };
      return readReply(await fetch(url, { ...request, ...(signal && { signal }) }));
    },
    send: async (body, more = {}) =>
      readReply(await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body })),
    get: async (path) => readReply(await fetch(origin + path, { headers })),
  };
}
