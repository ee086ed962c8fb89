import { hash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { freePort, startService as startCommand } from '@proj/test-servers';

import { tableName } from '../databases/database.ts';
import { endProcess } from '../processes/child.ts';
import { type Server, whileRunning } from './server.ts';

/** The service as an operator starts it. */
export type Service = Required<Server>;

export interface ServiceOptions {
  readonly database: { readonly url: string };
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

/** Nobody reads what the service logs: that would take a part of the machine. */
const WITHOUT_OUTPUT = ['sh', '-c', 'exec "$@" > /dev/null', 'sh'];

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
  const command = [process.execPath, ...nodeOptions, program, '--config', settings];
  const env = { DATABASE_URL: database.url, DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN };
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const { origin, pid, child } = await startCommand([...WITHOUT_OUTPUT, ...command], {
      env,
      port: await freePort(),
      answers: '/readyz',
    });
    const stop = async (): Promise<void> => {
      await endProcess(child);
      await remove();
    };
    return { origin, pid, token: TOKEN, stop };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Starts the service for some work. */
export async function withService(
  options: ServiceOptions,
  work: (service: Service) => Promise<void>,
): Promise<void> {
  await whileRunning(startService(options), work);
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
