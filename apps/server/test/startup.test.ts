import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

import {
  hasMariadb,
  listenOnFreePort,
  startMariadb,
  startPostgres,
  type TestServer,
} from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { MODELS_PATH, QUERY_PATH, randomPort, temporaryDatabase, until } from './helper.ts';
import { launch } from './server-process.ts';

const TOKEN = 'dq_start-up-0123456789abcdefghijklmnopqrstuv';

const AWAY = 'the database does not answer; until it does, queries get 503';

/** A database server that can be taken away. */
interface Away extends TestServer {
  readonly halt: () => Promise<void>;
  readonly restart: () => Promise<void>;
}

/** A server whose commits outlive a crash. */
async function startMariadbToKill(): Promise<Away> {
  const server = await startMariadb({ settings: ['innodb-flush-log-at-trx-commit=1'] });
  return Object.assign(server, { halt: async () => void process.kill(server.pid, 'SIGKILL') });
}

/** The program, with a port of its own, as it is seen from outside. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const port = String(randomPort());
  const server = launch(['--port', port, '--expose', 'all', ...args], {
    DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN,
    ...env,
  });
  const origin = `http://127.0.0.1:${port}`;
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const body = JSON.stringify({
    query_model: 'items',
    query_attributes: ['id'],
    page: { page: 1, size: 1 },
  });
  return {
    ...server,
    get: (path: string, token = TOKEN) =>
      fetch(origin + path, { headers: { authorization: `Bearer ${token}` } }),
    ask: () => fetch(origin + QUERY_PATH, { method: 'POST', headers, body }),
    listening: () => until(() => server.output().includes('The database does not answer yet')),
  };
}

/** Why the database was away, of each line of the log that says so. */
function reasonsIn(log: string): string[] {
  const lines = log.split('\n').filter((line) => line.includes(AWAY));
  return lines.map((line) => (JSON.parse(line) as { reason: string }).reason);
}

describe('a service whose PostgreSQL is away when it starts', () => {
  startsLate(startPostgres);
});

describe.skipIf(!hasMariadb())(
  'a service whose MariaDB is away when it starts (left out where there is no MariaDB)',
  () => {
    startsLate(startMariadbToKill);
  },
);

function startsLate(startDatabase: () => Promise<Away>): void {
  let database: Away;
  beforeAll(async () => {
    database = await startDatabase();
    await database.client(
      'create table items (id integer primary key); insert into items values (7);',
    );
  });
  afterAll(() => database.stop());

  it('listens, refuses queries with 503, and answers when the database is there', async () => {
    await database.halt();
    const { ask, get, output, listening } = start(['--database', database.url]);
    await listening();
    expect((await get('/livez')).status).toBe(200);
    const unready = await get('/readyz');
    expect(unready.status).toBe(503);
    expect(await unready.json()).toMatchObject({ code: 'database_unavailable' });
    for (const refused of [await ask(), await get(MODELS_PATH), await get(MODELS_PATH, 'wrong')]) {
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(await refused.json()).toMatchObject({ code: 'database_unavailable' });
    }
    await database.restart();
    await until(async () => (await get('/readyz')).status === 200);
    expect(await (await ask()).json()).toMatchObject({ result: [{ id: 7 }] });
    await until(() => /^ {2}curl /m.test(output()));
    await until(() => output().includes('"the database answers"'));
    const reasons = reasonsIn(output());
    expect(reasons[0]).toMatch(/ECONNREFUSED/);
    // Each is logged once, however often it was met.
    expect(new Set(reasons).size).toBe(reasons.length);
  });

  it('ends when the database comes and turns out not to be the one that was meant', async () => {
    await database.halt();
    const url = database.url.replace(/\/\w+$/, '/no_such_database');
    const { listening, ended } = start(['--database', url]);
    await listening();
    await database.restart();
    expect(await ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^dynamic-query: database: .*no_such_database.*\n$/) as string,
    });
  });

  it('ends at once with `startup: exit`, and on SIGTERM without an error', async () => {
    await database.halt();
    const { code, stderr } = await start(['--database', database.url, '--startup', 'exit']).ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^dynamic-query: database: it cannot be read \(.*\)\.\n$/),
    });
    const { child, listening, ended } = start(['--database', database.url]);
    await listening();
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
    await database.restart();
  });
}

it('a service that waits applies settings which change meanwhile before it answers', async () => {
  const database = await startPostgres();
  onTestFinished(() => database.stop());
  await database.client('create table items (id integer primary key);');
  await database.halt();
  const { directory } = temporaryDatabase();
  const config = join(directory, 'settings.yaml');
  writeFileSync(
    config,
    `database: ${database.url}\ntoken: dq_before-0123456789abcdefghijklmnopqrstuv\n`,
    { mode: 0o600 },
  );
  const { listening, get, output } = start(['--config', config], { DYNAMIC_QUERY_ADMIN_TOKEN: '' });
  await listening();
  writeFileSync(
    config,
    `database: ${database.url}\ntoken: dq_after-0123456789abcdefghijklmnopqrstuvw\n`,
    { mode: 0o600 },
  );
  await until(() => output().includes('a reload waits for the database'));
  await database.restart();
  const statuses = new Set<number>();
  await until(async () => {
    statuses.add((await get(MODELS_PATH, 'dq_before-0123456789abcdefghijklmnopqrstuv')).status);
    return (await get('/readyz')).status === 200;
  });
  expect((await get(MODELS_PATH, 'dq_after-0123456789abcdefghijklmnopqrstuvw')).status).toBe(200);
  expect((await get(MODELS_PATH, 'dq_before-0123456789abcdefghijklmnopqrstuv')).status).toBe(401);
  expect(statuses).not.toContain(200);
});

it('a database that goes away between the starts of two workers is waited for all the same', async () => {
  const database = await startPostgres();
  onTestFinished(() => database.stop());
  await database.client('create table items (id integer primary key);');
  const url = new URL(database.url);
  const port = Number(url.port);
  const state = { isAway: false };
  const proxy = createServer((socket) => {
    if (state.isAway) return void socket.destroy();
    const server = connect(port, '127.0.0.1');
    for (const end of [socket, server]) end.on('error', () => undefined);
    socket.pipe(server).pipe(socket);
  });
  url.port = String(await listenOnFreePort(proxy));
  onTestFinished(() => void proxy.close());
  const { get, output } = start(['--database', url.href, '--workers', '2']);
  const hasCurlLine = (): boolean => /^ {2}curl /m.test(output());
  // The first worker listens before the other one is started.
  await until(() =>
    get('/livez').then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  state.isAway = true;
  await until(() => output().includes('The database does not answer yet') || hasCurlLine());
  state.isAway = false;
  await until(hasCurlLine);
  expect((await get('/readyz')).status).toBe(200);
});

it.each(['postgres', 'mariadb'])(
  'a %s address that takes connections and closes them is one to wait for, as of a proxy',
  async (scheme) => {
    const proxy = createServer((socket) => socket.destroy());
    const port = await listenOnFreePort(proxy);
    onTestFinished(() => void proxy.close());
    const { listening, get } = start(['--database', `${scheme}://u:p@127.0.0.1:${port}/shop`]);
    await listening();
    expect((await get('/readyz')).status).toBe(503);
  },
);

it('a SQLite file that is not there ends the start, as waiting would not bring it', async () => {
  const { directory } = temporaryDatabase();
  const { code, stderr } = await start(['--database', `sqlite:${directory}/missing.db`]).ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^dynamic-query: database: no file is at .*missing\.db\. /);
});
