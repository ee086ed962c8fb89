import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';

import {
  freePort,
  hasMariadb,
  listenOnFreePort,
  newMariadbDatabase,
  newPostgresDatabase,
  type TestDatabase,
} from '@proj/test-servers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { type Door, doorTo } from './door.ts';
import { MODELS_PATH, send, until } from './helper.ts';
import { runHere } from './run-here.ts';
import { launch } from './server-process.ts';
import { serviceHere } from './service-here.ts';
import { settingsFile } from './settings-files.ts';

const TOKEN = 'dq_start-up-0123456789abcdefghijklmnopqrstuv';

const AWAY = 'the database does not answer; until it does, queries get 503';

const ITEMS = 'create table items (id integer primary key); insert into items values (7);';

const ITEMS_QUERY = {
  query_model: 'items',
  query_attributes: ['id'],
  page: { page: 1, size: 1 },
};

/** The program, as it is seen from outside. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const server = launch(['--port', '0', '--expose', 'all', ...args], {
    DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN,
    ...env,
  });
  const originNow = (): string =>
    /^Dynamic Query listens at (\S+)\. The database cannot be read yet/m.exec(
      server.output(),
    )?.[1] ?? '';
  return {
    ...server,
    get: (path: string, token = TOKEN) =>
      fetch(originNow() + path, { headers: { authorization: `Bearer ${token}` } }),
    listening: () => until(() => originNow() !== ''),
  };
}

/** The service in this process, which waits for the database. */
async function waiting(database: string) {
  const env = { DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN };
  const service = await serviceHere({ flags: { database, expose: 'all' }, env });
  const get = (url: string, token = TOKEN) =>
    service.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
  const ask = () => send(service.app, ITEMS_QUERY, { token: TOKEN });
  return { ...service, get, ask };
}

describe('a service whose PostgreSQL is away when it starts', () => {
  startsLate(newPostgresDatabase);
});

describe.skipIf(!hasMariadb())(
  'a service whose MariaDB is away when it starts (left out where there is no MariaDB)',
  () => {
    startsLate(newMariadbDatabase);
  },
);

/** A closed door in front of a database with {@link ITEMS}. */
async function doorToItems(makeDatabase: () => Promise<TestDatabase>): Promise<Door> {
  const database = await makeDatabase();
  await database.client(ITEMS);
  return doorTo(database.url);
}

function startsLate(makeDatabase: () => Promise<TestDatabase>): void {
  let door: Door;
  beforeAll(async () => {
    door = await doorToItems(makeDatabase);
    return door.close;
  });

  it('refuses queries with 503, and answers when the database is there', async () => {
    const { ask, get, lines, opening } = await waiting(door.url);
    expect((await get('/livez')).statusCode).toBe(200);
    const unready = await get('/readyz');
    expect(unready.statusCode).toBe(503);
    expect(unready.json()).toMatchObject({ code: 'database_unavailable' });
    for (const refused of [await ask(), await get(MODELS_PATH), await get(MODELS_PATH, 'wrong')]) {
      expect(refused.statusCode).toBe(503);
      expect(refused.headers['retry-after']).toBe('1');
      expect(refused.json()).toMatchObject({ code: 'database_unavailable' });
    }
    await door.open();
    expect(await opening).toBeDefined();
    expect((await get('/readyz')).statusCode).toBe(200);
    expect((await ask()).json()).toMatchObject({ result: [{ id: 7 }] });
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'the database answers' }));
    const reasons = lines.filter(({ msg }) => msg === AWAY).map(({ reason }) => reason);
    expect(reasons[0]).toMatch(/ECONNREFUSED/);
    // Each is logged once, however often it was met.
    expect(new Set(reasons).size).toBe(reasons.length);
    await door.close();
  });

  it('is over when the database comes and turns out not to be the one that was meant', async () => {
    const { opening } = await waiting(door.url.replace(/\/\w+$/, '/no_such_database'));
    await door.open();
    await expect(opening).rejects.toThrow(/no_such_database/);
    await door.close();
  });

  it('ends at once with `startup: exit`', async () => {
    const args = ['serve', '--database', door.url, '--expose', 'all', '--startup', 'exit'];
    const { code, stderr } = await runHere(args);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^dynamic-query: database: it cannot be read \(.*\)\.\n$/),
    });
  });
}

it('a service whose role may take too little to read the schema names the limit, and answers once it is raised', async () => {
  const database = await newPostgresDatabase();
  const url = new URL(database.url);
  const login = `narrow_${url.pathname.slice(1)}`;
  const names = Array.from({ length: 400 }, (_, index) => `t${index}`);
  await database.client(`
    create role ${login} login;
    alter role ${login} set temp_file_limit = 0;
    alter role ${login} set work_mem = '64kB';
    ${names.map((name) => `create table ${name} (id int primary key, a text, b text, c text);`).join('\n')}
    grant select on all tables in schema public to ${login}`);
  url.username = login;
  const { lines, opening, get } = await waiting(String(url));
  expect((await get('/readyz')).statusCode).toBe(503);
  const [line] = lines.filter(({ reason }) => reason !== undefined);
  expect(line?.msg).toMatch(/^the schema of the database cannot be read/);
  expect(line?.reason).toMatch(/temp_file_limit/);
  await database.client(`alter role ${login} reset temp_file_limit`);
  expect(await opening).toBeDefined();
});

it('a process that waits for its database listens, and applies settings which change meanwhile before it answers', async () => {
  const door = await doorToItems(newPostgresDatabase);
  onTestFinished(door.close);
  const config = settingsFile('');
  const [before, after] = ['before', 'after'].map(
    (name) => `dq_${name}-0123456789abcdefghijklmnopqrstuvwxyz`,
  );
  const write = (token = ''): void =>
    writeFileSync(config, `database: ${door.url}\ntoken: ${token}\n`);
  write(before);
  chmodSync(config, 0o600);
  const { listening, get, output } = start(['--config', config], {
    DYNAMIC_QUERY_ADMIN_TOKEN: '',
  });
  await listening();
  expect((await get('/livez')).status).toBe(200);
  write(after);
  await until(() => output().includes('a reload waits for the database'));
  await door.open();
  const statuses = new Set<number>();
  await until(async () => {
    statuses.add((await get(MODELS_PATH, before)).status);
    return (await get('/readyz')).status === 200;
  });
  expect((await get(MODELS_PATH, after)).status).toBe(200);
  expect((await get(MODELS_PATH, before)).status).toBe(401);
  expect(statuses).not.toContain(200);
  await until(() => /^ {2}curl /m.test(output()));
});

it('a process that waits ends on SIGTERM without an error', async () => {
  const door = await doorToItems(newPostgresDatabase);
  const { child, listening, ended } = start(['--database', door.url]);
  await listening();
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
});

it('a process that waits ends with one line when the database turns out not to be the one that was meant', async () => {
  const door = await doorToItems(newPostgresDatabase);
  onTestFinished(door.close);
  const url = door.url.replace(/\/\w+$/, '/no_such_database');
  const { listening, ended } = start(['--database', url]);
  await listening();
  await door.open();
  expect(await ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^dynamic-query: --database: database: .*no_such_database.*\n$/,
    ) as string,
  });
});

it('a database that goes away between the starts of two workers is waited for all the same', async () => {
  const door = await doorToItems(newPostgresDatabase);
  onTestFinished(door.close);
  await door.open();
  // The service prints its port when all of its workers have started.
  const port = await freePort();
  const args = ['--database', door.url, '--workers', '2', '--port', String(port)];
  const { output } = start(args);
  const statusOf = (path: string): Promise<number> =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => 0,
    );
  const hasCurlLine = (): boolean => /^ {2}curl /m.test(output());
  // The first worker listens before the other one is started.
  await until(async () => (await statusOf('/livez')) === 200);
  await door.close();
  await until(() => output().includes('The database cannot be read yet') || hasCurlLine());
  await door.open();
  await until(hasCurlLine);
  await expect.poll(() => statusOf('/readyz')).toBe(200);
});

it.each(['postgres', 'mariadb'])(
  'a %s address that takes connections and closes them is one to wait for, as of a proxy',
  async (scheme) => {
    const proxy = createServer((socket) => socket.destroy());
    const port = await listenOnFreePort(proxy);
    onTestFinished(() => void proxy.close());
    const { get } = await waiting(`${scheme}://u:p@127.0.0.1:${port}/shop`);
    expect((await get('/readyz')).statusCode).toBe(503);
  },
);
