import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { newPostgresDatabase } from '@proj/test-servers';
import { expect, it } from 'vitest';

import { temporaryDatabase } from './helper.ts';
import { launch, startServer } from './server-process.ts';

const PRELOAD = `--import=${new URL('list-modules.ts', import.meta.url).href}`;

/** What only some settings need. */
const OPTIONAL = [
  'pg',
  'mysql2',
  'ioredis',
  'jose',
  'prom-client',
  '@fastify/cors',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/exporter-trace-otlp-http',
];

/** The packages of the modules that a program has loaded until its end. */
function packagesOf(list: string): Set<string> {
  const names = readFileSync(list, 'utf8')
    .split('\n')
    .map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? '');
  return new Set(names);
}

/** Starts and stops a service, which lists the modules that it has loaded. */
async function listOfServer(flags: readonly string[]): Promise<string> {
  const { directory } = temporaryDatabase();
  const list = join(directory, 'modules');
  const { child, ended } = await startServer(['--expose', 'all', ...flags], {
    NODE_OPTIONS: PRELOAD,
    MODULES: list,
    DRAIN_MS: '1',
  });
  child.kill('SIGINT');
  await ended;
  return list;
}

async function packagesOfServer(flags: readonly string[]): Promise<string[]> {
  const { file } = temporaryDatabase();
  const loaded = packagesOf(await listOfServer(['--database', `sqlite:${file}`, ...flags]));
  return OPTIONAL.filter((name) => loaded.has(name));
}

it('a service over SQLite loads no driver of a server, no Redis, JWT, metrics, traces or CORS', async () => {
  expect(await packagesOfServer([])).toEqual([]);
});

it('a service with metrics and traces loads what counts them, and what makes and sends these', async () => {
  const flags = ['--metrics-port', '0', '--traces-endpoint', 'http://127.0.0.1:4318'];
  expect(await packagesOfServer(flags)).toEqual(
    OPTIONAL.filter((name) => name === 'prom-client' || name.startsWith('@opentelemetry/')),
  );
});

it.each([
  ['without `follow` nothing that follows changes', [], []],
  ['with `follow` what follows changes, and nothing of clusters', ['--follow'], ['open-feed.js']],
])('a service over PostgreSQL loads %s', async (_, flags, parts) => {
  const database = await newPostgresDatabase();
  await database.client('create table notes (id int primary key)');
  const list = readFileSync(await listOfServer(['--database', database.url, ...flags]), 'utf8');
  const names = list.split('\n').map((module) => basename(module));
  expect(names.filter((name) => ['open-feed.js', 'open-cluster.js'].includes(name))).toEqual(parts);
});

it.each(['check', 'init', 'token', 'serve'])(
  'the help of %s loads nothing that serves',
  async (command) => {
    const { directory } = temporaryDatabase();
    const list = join(directory, 'modules');
    const { ended } = launch([command, '--help'], { NODE_OPTIONS: PRELOAD, MODULES: list });
    expect((await ended).code).toBe(0);
    expect([...packagesOf(list)]).toEqual(['']);
  },
);
