import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { freePort, startPostgres, startProgram } from '@proj/test-servers';
import { expect, it, onTestFinished } from 'vitest';

import { ROOT } from './repository.ts';
import { run, unmet } from './support/programs.ts';
import { allowedSystemCalls, environmentOf, settingsOf, UNIT } from './support/unit-file.ts';

/** How long running queries get after the drain, in milliseconds: apps/server/README.md. */
const GRACE_MS = 30_000;
/** What `systemd-analyze security` counts from 0, safe, to 100. */
const MOST_EXPOSURE = 20;
const PROGRAM = join(ROOT, 'apps/server/dist/main.js');
const TOKEN = 'a-token-of-enough-characters';
const SETTINGS = `expose: all\nroles: { reader: { models: all } }\ntoken: ${TOKEN}\n`;

const left = unmet({ programs: ['systemd-analyze', 'strace'] });

it.skipIf(left)(`systemd finds no fault with the unit${left}`, async () => {
  const unit = await installedUnit();

  // What it does not know is no failure to it. It also reads the units of other packages, and may
  // end with their faults.
  const printed = await run('sh', ['-c', `systemd-analyze verify --man=no ${unit} 2>&1; true`]);
  const faults = printed.split('\n').filter((line) => line.includes('dynamic-query.service'));
  expect(faults).toEqual([]);
});

it.skipIf(left)(`systemd rates the unit at an exposure of 2.0 at most${left}`, async () => {
  const limit = ['--offline=true', `--threshold=${MOST_EXPOSURE}`];
  const table = await run('systemd-analyze', ['security', ...limit, '--no-pager', UNIT]);
  expect(table).toContain('Overall exposure level');
});

it('the unit leaves the service the time to drain, and its readers alive until then', () => {
  const drainMs = Number(environmentOf('')['DRAIN_MS']);
  expect(Number(settingsOf('TimeoutStopSec')[0]) * 1000).toBeGreaterThan(drainMs + GRACE_MS);
  expect(settingsOf('KillMode')).toEqual(['mixed']);
});

it('the unit starts, reloads and stops the service with its own commands', async () => {
  const { file, url } = await makeShop();
  const { program, origin } = await startUnit(url);
  await expect.poll(() => statusOf(`${origin}/readyz`)).toBe(200);
  expect(await modelsAt(origin)).toEqual(['orders']);
  alter(file, 'create table invoices (id integer primary key)');
  const [reload = ''] = settingsOf('ExecReload');
  await run('sh', ['-c', reload.replace('$MAINPID', String(program.child.pid))]);
  await expect.poll(() => modelsAt(origin)).toEqual(['invoices', 'orders']);
  program.child.kill('SIGTERM');
  await expect.poll(() => statusOf(`${origin}/readyz`)).toBe(503);
  expect((await program.ended).code).toBe(0);
});

it.skipIf(left).each(['SQLite', 'PostgreSQL'])(
  `the unit allows each system call and each family of addresses that the service uses over %s${left}`,
  async (database) => {
    const url = database === 'SQLite' ? (await makeShop()).url : await makePostgres();
    const { calls, families } = await traceService(url);
    const allowed = await allowedSystemCalls();
    expect(calls).toContain('socket');
    expect(calls.filter((call) => !allowed.has(call))).toEqual([]);
    const [own = ''] = settingsOf('RestrictAddressFamilies');
    expect(families.filter((family) => !own.split(' ').includes(family))).toEqual([]);
  },
);

/** The unit with the program where this repository has it. */
async function installedUnit(): Promise<string> {
  const unit = await readFile(UNIT, 'utf8');
  const file = join(await makeFolder(), 'dynamic-query.service');
  await writeFile(file, unit.replace('ExecStart=dynamic-query', `ExecStart=${PROGRAM}`));
  return file;
}

/** Starts what `ExecStart` names, with the settings and the credential where the test has them. */
async function startUnit(database: string, tracer: readonly string[] = []) {
  const folder = await makeFolder();
  await writeFile(join(folder, 'database_url'), `${database}\n`);
  await writeFile(join(folder, 'dynamic-query.yaml'), SETTINGS, { mode: 0o600 });
  const [start = ''] = settingsOf('ExecStart');
  const args = start.replaceAll('/etc/dynamic-query', folder).split(' ').slice(1);
  const port = await freePort();
  const env = { ...environmentOf(folder), PORT: String(port) };
  const [command = '', ...rest] = [...tracer, process.execPath, PROGRAM, ...args];
  const program = startProgram(command, rest, env);
  onTestFinished(() => program.stop());
  return { program, origin: `http://127.0.0.1:${port}` };
}

/** The system calls of a service and its readers, from its start to its end. */
async function traceService(database: string) {
  const trace = join(await makeFolder(), 'trace');
  const { program, origin } = await startUnit(database, ['strace', '-f', '-o', trace]);
  await expect.poll(() => statusOf(`${origin}/readyz`)).toBe(200);
  await modelsAt(origin);
  // Signals for the program alone go to the process that strace watches.
  const [pid = ''] = /^\d+/.exec(await readFile(trace, 'utf8')) ?? [];
  process.kill(Number(pid), 'SIGINT');
  expect((await program.ended).code).toBe(0);
  const text = await readFile(trace, 'utf8');
  const found = (pattern: RegExp): string[] => [
    ...new Set(Array.from(text.matchAll(pattern), ([, name = '']) => name)),
  ];
  return { calls: found(/^\d+ +(\w+)\(/gm), families: found(/^\d+ +socket\((\w+)/gm) };
}

async function makeShop() {
  const file = join(await makeFolder(), 'shop.db');
  alter(file, 'create table orders (id integer primary key)');
  return { file, url: `sqlite:${file}` };
}

function alter(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

/** A database that is reached by a name that has to be looked up. */
async function makePostgres(): Promise<string> {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  await server.client('create table orders (id bigint primary key)');
  return server.url.replace('127.0.0.1', 'localhost');
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-unit-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function statusOf(url: string): Promise<number> {
  return fetch(url).then(
    ({ status }) => status,
    () => 0,
  );
}

async function modelsAt(origin: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const reply = await fetch(`${origin}/api/v1/dynamic/models`, { headers });
  const { models } = (await reply.json()) as { models: { name: string }[] };
  return models.map(({ name }) => name).toSorted();
}
