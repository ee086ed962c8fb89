import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

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
import { MODELS_PATH, QUERY_PATH, temporaryDatabase, until } from './helper.ts';
import { launch } from './server-process.ts';

const TOKEN = 'dq_start-up-0123456789abcdefghijklmnopqrstuv';

const AWAY = 'the database does not answer; until it does, queries get 503';

const ITEMS = 'create table items (id integer primary key); insert into items values (7);';

/** The program, as it is seen from outside. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const server = launch(['--port', '0', '--expose', 'all', ...args], {
    DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN,
    ...env,
  });
  const originNow = (): string =>
    /^Dynamic Query listens at (\S+)\. The database does not answer yet/m.exec(
      server.output(),
    )?.[1] ?? '';
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const body = JSON.stringify({
    query_model: 'items',
    query_attributes: ['id'],
    page: { page: 1, size: 1 },
  });
  return {
    ...server,
    get: (path: string, token = TOKEN) =>
      fetch(originNow() + path, { headers: { authorization: `Bearer ${token}` } }),
    ask: () => fetch(originNow() + QUERY_PATH, { method: 'POST', headers, body }),
    listening: () => until(() => originNow() !== ''),
  };
}

/** Why the database was away, of each line of the log that says so. */
function reasonsIn(log: string): string[] {
  const lines = log.split('\n').filter((line) => line.includes(AWAY));
  return lines.map((line) => (JSON.parse(line) as { reason: string }).reason);
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

  it('listens, refuses queries with 503, and answers when the database is there', async () => {
    const { ask, get, output, listening } = start(['--database', door.url]);
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
    await door.open();
    await until(async () => (await get('/readyz')).status === 200);
    expect(await (await ask()).json()).toMatchObject({ result: [{ id: 7 }] });
    await until(() => /^ {2}curl /m.test(output()));
    await until(() => output().includes('"the database answers"'));
    const reasons = reasonsIn(output());
    expect(reasons[0]).toMatch(/ECONNREFUSED/);
    // Each is logged once, however often it was met.
    expect(new Set(reasons).size).toBe(reasons.length);
    await door.close();
  });

  it('ends when the database comes and turns out not to be the one that was meant', async () => {
    const url = door.url.replace(/\/\w+$/, '/no_such_database');
    const { listening, ended } = start(['--database', url]);
    await listening();
    await door.open();
    expect(await ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^dynamic-query: database: .*no_such_database.*\n$/) as string,
    });
    await door.close();
  });

  it('ends at once with `startup: exit`, and on SIGTERM without an error', async () => {
    const { code, stderr } = await start(['--database', door.url, '--startup', 'exit']).ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^dynamic-query: database: it cannot be read \(.*\)\.\n$/),
    });
    const { child, listening, ended } = start(['--database', door.url]);
    await listening();
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });
}

it('a service that waits applies settings which change meanwhile before it answers', async () => {
  const door = await doorToItems(newPostgresDatabase);
  onTestFinished(door.close);
  const { directory } = temporaryDatabase();
  const config = join(directory, 'settings.yaml');
  writeFileSync(
    config,
    `database: ${door.url}\ntoken: dq_before-0123456789abcdefghijklmnopqrstuv\n`,
    { mode: 0o600 },
  );
  const { listening, get, output } = start(['--config', config], { DYNAMIC_QUERY_ADMIN_TOKEN: '' });
  await listening();
  writeFileSync(
    config,
    `database: ${door.url}\ntoken: dq_after-0123456789abcdefghijklmnopqrstuvw\n`,
    { mode: 0o600 },
  );
  await until(() => output().includes('a reload waits for the database'));
  await door.open();
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
  await until(() => output().includes('The database does not answer yet') || hasCurlLine());
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
