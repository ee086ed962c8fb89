import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { DatabaseSync } from 'node:sqlite';

import { freePort } from '@proj/test-servers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';

import { ROOT } from '../repository.ts';
import { type Consumer, createConsumer } from './consumer.ts';
import { type Registry, startRegistry } from './registry.ts';
import { installRuntime } from './runtimes.ts';
import { writeDatabase } from './service.ts';

let registry: Registry;
let consumer: Consumer;

beforeAll(async () => {
  registry = await startRegistry();
});

afterAll(async () => registry?.stop());

beforeEach(async () => {
  consumer = await createConsumer({ registry: registry.url, node: process.execPath });
});

afterEach(async () => consumer.remove());

/** Where a program listens, which it prints first. */
async function firstLine(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) return line;
  throw new Error('The program ended before it listened.');
}

const isInstalled = (name: string) => existsSync(join(consumer.folder, 'node_modules', name));

it.each(['npm install', 'npx --yes pnpm@12 add'])(
  'after `%s` of the engine and of SQLite alone, the program of the README reads its page',
  async (install) => {
    const [command = '', ...args] = install.split(' ');
    await consumer.run(command, ...args, '@proj/engine', '@proj/sqlite');
    const example = join(ROOT, 'packages/sqlite/examples/first-page.ts');
    await cp(example, join(consumer.folder, 'first-page.mjs'));
    const database = new DatabaseSync(join(consumer.folder, 'cities.db'));
    database.exec(`create table cities (id integer primary key, name text, population integer);
      insert into cities (name, population)
        values ('Aarau', 21506), ('Bern', 134794), ('Chur', 38293);`);
    database.close();
    const { stdout, stderr } = await consumer.run('node', 'first-page.mjs', 'cities.db');
    expect({ stdout, stderr }).toEqual({
      stdout: `[{"name":"Aarau","population":"21506"},{"name":"Bern","population":"134794"}]
{ page: '1', size: '2', total: '3', has_next: true }
`,
      stderr: '',
    });
  },
);

it('after the command of the README the program of the plugin serves pages, and only the explorer is missing', async () => {
  const readme = await readFile(join(ROOT, 'packages/fastify/README.md'), 'utf8');
  const [, command = ''] = /^```sh\n(npm install [^#\n]*)/m.exec(readme) ?? [];
  const [, program = ''] = /^```ts\n(.*?)^```$/ms.exec(readme) ?? [];
  const [npm = '', ...args] = command.trim().split(' ');
  await consumer.run(npm, ...args);
  await writeFile(join(consumer.folder, 'app.ts'), program);
  const database = new DatabaseSync(join(consumer.folder, 'shop.db'));
  database.exec(`create table orders (id integer primary key, amount integer, customer_id integer);
    insert into orders values (1, 10, 7), (2, 20, 8), (3, 30, 7);
    create table customers (id integer primary key);`);
  database.close();
  const app = spawn(process.execPath, ['app.ts', 'shop.db'], {
    cwd: consumer.folder,
    env: consumer.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void app.kill());
  const line = await firstLine(app.stdout);
  const reply = await fetch(`${line}/top-orders`, { headers: { customer: '7' } });
  expect(await reply.json()).toEqual([
    { id: '3', amount: '30' },
    { id: '1', amount: '10' },
  ]);
  expect(['pg', 'mysql2', '@proj/explorer', '@proj/server'].filter(isInstalled)).toEqual([]);
});

it('Bun serves pages by the example of the handler', async () => {
  const bun = await installRuntime(registry.url, 'bun', '1');
  await consumer.run(bun, 'add', '@proj/fastify', '@proj/engine', '@proj/sqlite');
  const example = join(ROOT, 'packages/fastify/examples/bun.ts');
  await cp(example, join(consumer.folder, 'app.ts'));
  const database = new DatabaseSync(join(consumer.folder, 'shop.db'));
  database.exec('create table orders (id integer primary key); insert into orders values (1), (2)');
  database.close();
  const app = spawn(bun, ['app.ts'], {
    cwd: consumer.folder,
    env: { ...consumer.env, DATABASE_URL: 'sqlite:shop.db', PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void app.kill());
  const line = await firstLine(app.stdout);
  const data = `${/http:\S+/.exec(line)?.[0]}/data/api/v1/dynamic`;
  const ask = async (place: string, more = {}) =>
    (
      await fetch(`${data}/${place}`, {
        method: 'POST',
        headers: { user: 'ann', 'content-type': 'application/json' },
        body: JSON.stringify({ query_model: 'orders', query_attributes: ['id'], ...more }),
      })
    ).text();
  expect(await ask('query', { page: { page: 2, size: 1 } })).toBe(
    '{"result":[{"id":"2"}],"page":{"page":"2","size":"1","total":"2","has_next":false}}',
  );
  expect(await ask('export')).toBe('{"id":"1"}\n{"id":"2"}\n');
});

it('the engine and SQLite bring no driver of a server, and PostgreSQL brings its own alone', async () => {
  await consumer.run('npm', 'install', '@proj/engine', '@proj/sqlite');
  expect(['pg', 'mysql2', 'fastify'].filter(isInstalled)).toEqual([]);
  await consumer.run('npm', 'install', '@proj/postgres');
  expect(['pg', 'mysql2', 'fastify'].filter(isInstalled)).toEqual(['pg']);
});

it('errors of databases are of the classes of the engine, also where npm has put a copy for one', async () => {
  await consumer.run('npm', 'install', '@proj/engine', '@proj/sqlite', '@proj/postgres');
  await consumer.copy('errors.mjs');
  const nobody = `postgres://nobody@127.0.0.1:${await freePort()}/none`;
  const printed = async () => {
    writeDatabase(join(consumer.folder, 'readings.db'));
    const { stdout } = await consumer.run('node', 'errors.mjs', 'readings.db', nobody);
    return stdout.trim().split('\n');
  };
  const known = [
    'a file that is not there: SettingsError',
    'a server that is not there: QueryFailedError database_unavailable',
    'a file that has left: QueryFailedError database_unavailable',
  ];
  expect(await printed()).toEqual(known);
  const packages = join(consumer.folder, 'node_modules/@proj');
  const copy = 'node_modules/@proj/engine';
  for (const database of ['sqlite', 'postgres'])
    await cp(join(packages, 'engine'), join(packages, database, copy), { recursive: true });
  expect(await printed()).toEqual(known);
});
