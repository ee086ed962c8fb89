import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

import {
  type Ended,
  freePort,
  hasMariadb,
  hasRedis,
  type RunningProgram,
  startMariadb,
  startPostgres,
  startRedis,
  until,
} from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { childrenOf } from './support/processes.ts';
import { unmet } from './support/programs.ts';
import { RootFileSystem } from './support/root-file-system.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const EXECUTABLE = `${ROOT}apps/server/out/dynamic-query`;
const PROGRAM = '/usr/local/bin/dynamic-query';

const ORDERS = `create table orders (id integer primary key, item varchar(20) not null);
  insert into orders values (1, 'lamp'), (2, 'desk'), (3, 'chair');`;

const hasServers = hasMariadb() && hasRedis();
const missing = hasServers
  ? ''
  : ' (no MariaDB and Redis: apt-get install mariadb-server redis-server)';
const left = unmet({ programs: ['debootstrap'], root: true });
const title = 'the single executable application, in a system without Node';

describe.skipIf(left)(`${title}${left}`, () => {
  let system: RootFileSystem;

  beforeAll(async () => {
    await promisify(execFile)('pnpm', ['single-executable'], { cwd: ROOT });
    system = await RootFileSystem.create();
    await system.install(EXECUTABLE, PROGRAM);
  });

  afterAll(() => system?.remove());

  /** Runs a command of it to its end. */
  function command(...args: readonly string[]): Promise<Ended> {
    return system.start(PROGRAM, ...args).ended;
  }

  /** A database of orders that everybody can read. */
  function ordersFile(): string {
    const path = `/srv/orders-${crypto.randomUUID()}.db`;
    change(path, ORDERS);
    onTestFinished(() => rmSync(system.outside(path)));
    return path;
  }

  function change(path: string, sql: string): void {
    const database = new DatabaseSync(system.outside(path));
    database.exec(sql);
    database.close();
  }

  async function serve(...args: readonly string[]): Promise<Service> {
    const port = await freePort();
    const program = system.start(PROGRAM, 'serve', '--port', String(port), ...args);
    onTestFinished(() => program.stop());
    await until(() => program.child.exitCode !== null || program.output().includes('  curl '));
    const token = /DYNAMIC_QUERY_TOKEN=(\S+)/.exec(program.output())?.[1];
    if (token === undefined) throw new Error(program.output());
    return { program, origin: `http://127.0.0.1:${port}`, token };
  }

  it('has no Node but its own', async () => {
    const { code } = await system.start('/bin/sh', '-c', 'command -v node').ended;
    expect(code).not.toBe(0);
  });

  it('prints its version, and the licences of everything in it', async () => {
    const manifest = readFileSync(`${ROOT}apps/server/package.json`, 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    expect(await command('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    const { stdout } = await command('licenses');
    for (const name of ['fastify', 'ioredis', 'kysely', 'mysql2', 'pg', 'Node'])
      expect(stdout).toMatch(new RegExp(`^${name}\n\n`, 'm'));
    expect(stdout).toContain('Copyright Node.js contributors');
  });

  it('drafts settings, and checks them', async () => {
    const file = ordersFile();
    const draft = await command('init', '--database', `sqlite:${file}`, '--output', '-');
    expect(draft).toMatchObject({ code: 0, stderr: '' });
    expect(draft.stdout).toContain('item: {}');
    writeFileSync(system.outside('/srv/settings.yaml'), draft.stdout);
    const checked = await command('check', '--config', '/srv/settings.yaml');
    expect(checked).toMatchObject({ code: 0, stderr: '' });
    expect(checked.stdout).toContain('No errors. Models: orders');
    const misspelt = await command('check', '--database', 'sqlite:/srv/none.db');
    expect(misspelt).toMatchObject({ code: 1, stdout: '' });
    expect(misspelt.stderr).toMatch(/^dynamic-query: .*\n$/);
  });

  it('answers queries over SQLite, and its readers end with it', async () => {
    const service = await serve('--database', `sqlite:${ordersFile()}`, '--expose', 'all');
    expect(await itemsOf(service)).toEqual(['chair', 'desk', 'lamp']);
    const readers = childrenOf(service.program.child.pid);
    expect(readers).not.toEqual([]);
    service.program.child.kill('SIGKILL');
    await until(() => !readers.some(isRunning));
  });

  it('writes Parquet files, whose thread is built into it', async () => {
    const service = await serve('--database', `sqlite:${ordersFile()}`, '--expose', 'all');
    const file = await exportOf(service, 'application/vnd.apache.parquet');
    expect(file.subarray(0, 4).toString()).toBe('PAR1');
    expect(file.subarray(-4).toString()).toBe('PAR1');
  });

  it('answers agents, whose tools are built into it', async () => {
    const settings = { database: `sqlite:${ordersFile()}`, expose: 'all', mcp: true };
    // JSON is YAML.
    writeFileSync(system.outside('/srv/agents.yaml'), JSON.stringify(settings));
    const service = await serve('--config', '/srv/agents.yaml');
    const params = { name: 'count_values', arguments: { model: 'orders' } };
    const { result } = await askTools(service, 'tools/call', params);
    expect(result).toMatchObject({ structuredContent: { count: '3' } });
    const listed = await askTools(service, 'tools/list');
    expect(listed.result.tools).toHaveLength(5);
  });

  it('answers queries with several workers, which end with it', async () => {
    const flags = ['--expose', 'all', '--workers', '2'];
    const service = await serve('--database', `sqlite:${ordersFile()}`, ...flags);
    const workers = childrenOf(service.program.child.pid);
    expect(workers).toHaveLength(2);
    expect(await itemsOf(service)).toEqual(['chair', 'desk', 'lamp']);
    service.program.child.kill('SIGTERM');
    expect((await service.program.ended).code).toBe(0);
    expect(workers.filter(isRunning)).toEqual([]);
  });

  it('answers queries over PostgreSQL', async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    await postgres.client(ORDERS);
    const service = await serve('--database', postgres.url, '--expose', 'all');
    expect(await itemsOf(service)).toEqual(['chair', 'desk', 'lamp']);
    service.program.child.kill('SIGTERM');
    expect((await service.program.ended).code).toBe(0);
  });

  it.skipIf(!hasServers)(
    `answers queries over MariaDB, counts with Redis, and shows metrics${missing}`,
    async () => {
      const [mariadb, redis] = await Promise.all([startMariadb(), startRedis()]);
      onTestFinished(async () => void (await Promise.all([mariadb.stop(), redis.stop()])));
      await mariadb.client(ORDERS);
      const settings = {
        database: mariadb.url,
        expose: 'all',
        rate_limits: { requests_per_minute: 100, redis: redis.url },
      };
      // JSON is YAML.
      writeFileSync(system.outside('/srv/shared.yaml'), JSON.stringify(settings));
      const metrics = await freePort();
      const flags = ['--config', '/srv/shared.yaml', '--metrics-port', String(metrics)];
      const service = await serve(...flags);
      expect(await itemsOf(service)).toEqual(['chair', 'desk', 'lamp']);
      expect(service.program.output()).not.toMatch(/redis/i);
      expect(await redis.client('keys', '*')).not.toBe('');
      const page = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
      expect(page).toContain('process_cpu_seconds_total');
    },
  );

  it('shows the explorer and the API reference, with all of their files', async () => {
    const { origin } = await serve('--database', `sqlite:${ordersFile()}`, '--expose', 'all');
    const found = [await filesOf(origin, '/'), await filesOf(origin, '/docs')].flat();
    expect(found.map(({ status }) => status)).toEqual(found.map(() => 200));
    const types = found.map(({ headers }) => headers.get('content-type') ?? '');
    expect(types.filter((type) => type.startsWith('text/css'))).toHaveLength(2);
    const scripts = types.filter((type) => type.startsWith('application/javascript'));
    expect(scripts.length).toBeGreaterThanOrEqual(3);
    expect((await fetch(`${origin}/problems/internal`)).status).toBe(200);
    expect(await (await fetch(`${origin}/openapi.json`)).json()).toHaveProperty('openapi');
  });

  it('reads the schema again on SIGHUP, and drains on SIGTERM', async () => {
    const file = ordersFile();
    const flags = ['--expose', 'all', '--drain-ms', '60000'];
    const service = await serve('--database', `sqlite:${file}`, ...flags);
    change(file, 'create table customers (id integer primary key)');
    service.program.child.kill('SIGHUP');
    await until(async () => (await query(service, 'customers', ['id'])).status === 200);
    service.program.child.kill('SIGTERM');
    await until(async () => (await fetch(`${service.origin}/readyz`)).status === 503);
    expect(await itemsOf(service)).toEqual(['chair', 'desk', 'lamp']);
    service.program.child.kill('SIGTERM');
    expect((await service.program.ended).code).not.toBeNull();
  });
});

interface Service {
  readonly program: RunningProgram;
  readonly origin: string;
  readonly token: string;
}

async function query(
  { origin, token }: Service,
  model: string,
  attributes: readonly string[],
): Promise<Response> {
  const body = {
    query_model: model,
    query_attributes: attributes,
    query_sort: [{ attribute: attributes[0], direction: 'asc' }],
    page: { page: 1, size: 10 },
  };
  return fetch(`${origin}/api/v1/dynamic/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function askTools(
  { origin, token }: Service,
  method: string,
  params: object = {},
): Promise<{ readonly result: { readonly tools?: readonly unknown[] } }> {
  const reply = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await reply.text();
  // It may be an event of a stream.
  return JSON.parse(text.slice(text.indexOf('{'))) as { result: { tools?: unknown[] } };
}

async function itemsOf(service: Service): Promise<string[]> {
  const reply = await query(service, 'orders', ['item']);
  const { result } = (await reply.json()) as { result: { item: string }[] };
  return result.map(({ item }) => item);
}

async function exportOf({ origin, token }: Service, type: string): Promise<Buffer> {
  const reply = await fetch(`${origin}/api/v1/dynamic/export`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: type,
    },
    body: JSON.stringify({ query_model: 'orders', query_attributes: ['id', 'item'] }),
  });
  return Buffer.from(await reply.arrayBuffer());
}

/** What is sent for each address that a page names. */
async function filesOf(origin: string, page: string): Promise<Response[]> {
  const html = await (await fetch(origin + page)).text();
  const addresses = [...html.matchAll(/(?:href|src)="(?!data:)([^"]*)"/g)];
  expect(addresses.length).toBeGreaterThan(0);
  return Promise.all(addresses.map(([, address = '']) => fetch(new URL(address, origin + page))));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
