import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { type Ended, freePort, type RunningProgram, startProgram, until } from '@proj/test-servers';

import { type PageQuery, readReply, type Reply } from './ask.ts';

const MAIN = join(
  dirname(createRequire(import.meta.url).resolve('@proj/server/package.json')),
  'dist',
  'main.js',
);

/** The token that may read everything. */
export const TOKEN = 'dq_fault-suite-0123456789abcdefghijklmnopqrstuv';

/** How a service is started. */
export interface ServiceOptions {
  readonly database: string;
  /** The settings file; JSON is YAML too. Its text where it is no object. */
  readonly settings?: object | string;
  readonly args?: readonly string[];
  /** What answers once the service counts as started. Default: `/readyz`. */
  readonly awaits?: '/livez' | '/readyz';
  readonly env?: Readonly<Record<string, string>>;
  /** A line of the shell that starts the program given as `"$@"`; it must `exec` it. */
  readonly shell?: string;
}

/** The service as an operator runs it. */
export interface FaultService extends RunningProgram {
  readonly origin: string;
  readonly port: number;
  readonly pid: number;
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

/**
 * What is served unless a row says otherwise. Its time limit is none that a busy machine passes.
 */
export const SETTINGS = { expose: 'all', limits: { query_timeout_ms: 30_000 } };

/**
 * The view `slow` too, and a time limit that a test has time for. Not for rows that write: the
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
export async function startService(options: ServiceOptions): Promise<FaultService> {
  const { program, port, file } = await launch(options);
  await begun(program, port, options.awaits);
  if (program.child.exitCode !== null)
    throw new Error(`The service did not start: ${(await program.ended).stderr}`);
  return asking({
    ...program,
    port,
    file,
    origin: `http://127.0.0.1:${port}`,
    pid: program.child.pid ?? 0,
  });
}

/** How a start ends that cannot succeed. */
export async function failedStart(options: ServiceOptions): Promise<Ended> {
  const { program, port } = await launch(options);
  await begun(program, port);
  if (program.child.exitCode === null) {
    await program.stop();
    throw new Error('The service started.');
  }
  return program.ended;
}

/** Waits until the service is ready or has ended. What it prints may go where nobody reads it. */
async function begun(
  { child }: RunningProgram,
  port: number,
  path: ServiceOptions['awaits'] = '/readyz',
): Promise<void> {
  const isReady = async (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(async () => child.exitCode !== null || isReady());
}

async function launch({
  database,
  settings = SETTINGS,
  args = [],
  env = {},
  shell,
}: ServiceOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-faults-service-'));
  const file = join(folder, 'settings.yaml');
  await writeFile(file, typeof settings === 'string' ? settings : JSON.stringify(settings));
  const port = await freePort();
  const options = ['--port', String(port), '--config', file, '--database', database];
  const command = [process.execPath, MAIN, 'serve', ...options, ...args];
  const [name = '', ...rest] =
    shell === undefined ? command : ['sh', '-c', shell, 'sh', ...command];
  const program = startProgram(name, rest, { DYNAMIC_QUERY_TOKEN: TOKEN, ...env });
  const remove = async (): Promise<void> => rm(folder, { recursive: true, force: true });
  void program.ended.then(remove, remove);
  return { program, port, file };
}

function asking(service: Omit<FaultService, 'ask' | 'send' | 'get'>): FaultService {
  const url = `${service.origin}/api/v1/dynamic/query`;
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  return {
    ...service,
    ask: async (query, { token = TOKEN, signal } = {}) => {
      const named = { ...headers, authorization: `Bearer ${token}` };
      return readReply(
        await fetch(url, {
          method: 'POST',
          headers: named,
          body: JSON.stringify(query),
          ...(signal && { signal }),
        }),
      );
    },
    send: async (body, more = {}) =>
      readReply(await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body })),
    get: async (path) => readReply(await fetch(service.origin + path, { headers })),
  };
}
