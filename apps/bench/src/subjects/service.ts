import { type ChildProcess, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '@proj/test-servers';

import { endProcess } from '../processes/child.ts';
import { type BenchDatabase, tableName } from '../tables/bench-database.ts';

/** The service as an operator starts it. */
export interface Service {
  readonly origin: string;
  readonly pid: number;
  readonly token: string;
  readonly stop: () => Promise<void>;
}

export interface ServiceOptions {
  readonly database: Pick<BenchDatabase, 'url'>;
  /** The tables that are served, by their number of rows. */
  readonly tables: readonly number[];
  /** Tokens beside the service's own, each of a caller of its own. */
  readonly tokens?: readonly string[];
  /** Options of node itself. */
  readonly nodeOptions?: readonly string[];
  /** Settings beside the models and tokens. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The program to start. Default: that of this checkout. */
  readonly program?: string | undefined;
}

const PROGRAM = join(
  dirname(createRequire(import.meta.url).resolve('@proj/server/package.json')),
  'dist',
  'main.js',
);
const TOKEN = 'bench-bench-bench-bench-bench-bench-42';

/** Starting takes so long at most, in milliseconds. */
const START_LIMIT_MS = 60_000;

/**
 * Starts the service with its defaults: token, validation, exact totals, a log line for each
 * request, which goes nowhere. Only the time limit of a query is raised, so that slow counts are
 * measured instead of refused.
 *
 * @throws {Error} with what it printed, when it does not start.
 */
export async function startService({
  database,
  tables,
  tokens = [],
  nodeOptions = [],
  settings: more = {},
  program = PROGRAM,
}: ServiceOptions): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-bench-service-'));
  const settings = join(folder, 'settings.yaml');
  await writeFile(settings, settingsText(tables, tokens, more));
  const port = await freePort();
  const errors = await open(join(folder, 'errors'), 'w');
  const child = spawn(
    process.execPath,
    [...nodeOptions, program, '--config', settings, '--port', String(port)],
    {
      env: {
        PATH: process.env['PATH'] ?? '',
        DATABASE_URL: database.url,
        DYNAMIC_QUERY_TOKEN: TOKEN,
      },
      stdio: ['ignore', 'ignore', errors.fd],
    },
  );
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async (): Promise<void> => {
    await endProcess(child);
    process.removeListener('exit', kill);
    await errors.close();
    await rm(folder, { recursive: true, force: true });
  };
  const origin = `http://127.0.0.1:${port}`;
  if (!(await isReady(child, origin))) {
    const printed = await readFile(join(folder, 'errors'), 'utf8');
    await stop();
    throw new Error(`The service did not start:\n${printed}`);
  }
  return { origin, pid: child.pid ?? 0, token: TOKEN, stop };
}

async function isReady(child: ChildProcess, origin: string): Promise<boolean> {
  const deadline = performance.now() + START_LIMIT_MS;
  while (child.exitCode === null && performance.now() < deadline) {
    const ready = await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return true;
    await sleep(20);
  }
  return false;
}

/** What SQLite cannot tell of its columns is said. JSON is YAML too. */
function settingsText(
  tables: readonly number[],
  tokens: readonly string[],
  more: Readonly<Record<string, unknown>>,
): string {
  const attributes = { created_at: { type: 'timestamp' } };
  const model = {
    attributes: { id: {}, ...attributes, name: {}, amount: {}, flag: {} },
    max_page_size: 1000,
  };
  return JSON.stringify({
    models: Object.fromEntries(tables.map((rows) => [tableName(rows), model])),
    roles: { caller: { models: 'all' } },
    tokens: tokens.map((token) => ({ name: token, role: 'caller', sha256: hash('sha256', token) })),
    limits: { query_timeout_ms: 300_000 },
    ...more,
  });
}
