import { readFileSync, writeFileSync } from 'node:fs';

import { newPostgresDatabase } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { sha256 } from '../src/access/tokens.ts';
import { MODELS_PATH, QUERY_PATH, send, temporaryDatabase, until, writeTo } from './helper.ts';
import { serviceHere } from './service-here.ts';
import { settingsFile } from './settings-files.ts';

const STAFF = `create table staff (id bigint primary key not null, name text not null, salary bigint not null);
  insert into staff values (1, 'Ann', 100), (2, 'Bob', 200);`;

const READER = `tokens: [{ name: reader, role: reader, sha256: ${sha256('reader-token')} }]`;

const TWO_ATTRIBUTES = 'models: { staff: { attributes: { id: {}, name: {} } } }';
const THREE_ATTRIBUTES = 'models: { staff: { attributes: { id: {}, name: {}, salary: {} } } }';

const OPEN = `${TWO_ATTRIBUTES}\nroles: { reader: { models: { staff: { attributes: all } } } }\n${READER}`;

let postgres = '';
beforeAll(async () => {
  const database = await newPostgresDatabase();
  await database.client(STAFF);
  postgres = database.url;
});

const ADMIN = { DYNAMIC_QUERY_ADMIN_TOKEN: 'admin-token' };

/** A service over a file of SQLite, which a test may change. */
async function startOverFile(text: string, env: Readonly<Record<string, string>> = {}) {
  const { file } = temporaryDatabase(STAFF);
  return { ...(await startService(text, env, `sqlite:${file}`)), file };
}

/** A service over a settings file, that is reloaded when the file is written. */
async function startService(
  text: string,
  env: Readonly<Record<string, string>> = {},
  database: string = postgres,
) {
  const config = settingsFile('');
  const writeSettings = (settings: string): void =>
    writeFileSync(config, `database: ${database}\n${settings}\n`);
  writeSettings(text);
  const service = await serviceHere({ flags: { config }, env });
  const { lines } = service;

  async function ask(token: string, attributes: readonly string[]): Promise<string> {
    const body = {
      query_model: 'staff',
      query_attributes: attributes,
      page: { page: 1, size: 10 },
    };
    const reply = await send(service.app, body, { token });
    return reply.statusCode === 200
      ? JSON.stringify(reply.json<{ result: unknown }>().result)
      : reply.json<{ code: string }>().code;
  }

  const logged = (level: number) => lines.filter((line) => line.level === level);
  const change = async (settings: string): Promise<void> => {
    writeSettings(settings);
    await service.reload('settings');
  };
  return {
    ...service,
    ask,
    change,
    config,
    lines: () => lines.map(({ msg }) => msg),
    warnings: () => logged(40),
    errors: () => logged(50),
  };
}

const RESTRICTED = 'reader: { models: { staff: { attributes: [id, name] } } }';

describe('a reload is applied as a whole or not at all', () => {
  it('serves a new attribute to the roles that may see it, and to no other', async () => {
    const { ask, change } = await startService(OPEN, ADMIN);
    expect(await ask('reader-token', ['name'])).toBe('[{"name":"Ann"},{"name":"Bob"}]');
    await change(`${THREE_ATTRIBUTES}\nroles: { ${RESTRICTED} }\n${READER}`);
    expect(await ask('admin-token', ['salary'])).toBe('[{"salary":"100"},{"salary":"200"}]');
    expect(await ask('reader-token', ['salary'])).toBe('unknown_attribute');
    expect(await ask('reader-token', ['name'])).toBe('[{"name":"Ann"},{"name":"Bob"}]');
  });

  it('keeps models and roles as they were where settings are wrong, and logs one error with its place', async () => {
    const { ask, change, errors, config } = await startService(OPEN, ADMIN);
    const other = (role: string): string => `roles: { ${RESTRICTED}, other: ${role} }\n${READER}`;
    const reasons = [
      'no attribute named "nmae"',
      'There is no such model',
      'There is no role "rdr"',
      'Did you mean port?',
      'The database has no table or view named "stuff"',
      'models: none is exposed',
    ];
    const all = `roles: { reader: { models: all } }\n${READER}`;
    const wrong = [
      `${THREE_ATTRIBUTES}\n${other('{ models: { staff: { attributes: [nmae] } } }')}`,
      `${THREE_ATTRIBUTES}\n${other('{ models: { stuff: {} } }')}`,
      `${THREE_ATTRIBUTES}\nroles: { ${RESTRICTED} }\ntokens: [{ name: x, role: rdr, sha256: ${sha256('x')} }]`,
      `${THREE_ATTRIBUTES}\nroles: { ${RESTRICTED} }\n${READER}\nprot: 80`,
      `models: { stuff: {} }\n${all}`,
      all,
    ];
    for (const [index, settings] of wrong.entries()) {
      await change(settings);
      expect(await ask('reader-token', ['salary'])).toBe('unknown_attribute');
      expect(await ask('admin-token', ['salary'])).toBe('unknown_attribute');
      expect(await ask('reader-token', ['id', 'name'])).toContain('Ann');
      expect(errors()).toHaveLength(index + 1);
    }
    expect(errors()).toMatchObject(
      reasons.map((reason) => ({
        msg: 'reload failed, keeping the previous settings',
        reason: expect.stringContaining(reason) as string,
      })),
    );
    // Of those that one line of the file is to blame for.
    for (const { reason } of errors().slice(0, 4))
      expect(reason).toMatch(new RegExp(`^${config}:\\d+: `));
  });

  it('refuses a file with a secret that everybody can read, as the start does', async () => {
    const { ask, change, errors } = await startService(OPEN);
    await change(`${OPEN}\ntoken: a-token-that-is-long-enough`);
    expect(await ask('a-token-that-is-long-enough', ['name'])).toBe('unauthenticated');
    expect(errors()).toMatchObject([
      { reason: expect.stringContaining('every user of this machine can read it') },
    ]);
  });

  it('refuses a file whose tokens list the admin token, which keeps every right', async () => {
    const { ask, change, errors } = await startService(OPEN, ADMIN);
    const id = 'reader: { models: { staff: { attributes: [id] } } }';
    const admin = `{ name: operator, role: reader, sha256: ${sha256('admin-token')} }`;
    await change(`${THREE_ATTRIBUTES}\nroles: { ${id} }\ntokens: [${admin}]`);
    expect(errors()).toMatchObject([
      {
        msg: 'reload failed, keeping the previous settings',
        reason: expect.stringMatching(
          /^DYNAMIC_QUERY_ADMIN_TOKEN: token: It is the token "operator" of `tokens` too, /,
        ),
      },
    ]);
    expect(await ask('admin-token', ['name'])).toContain('Ann');
    expect(await ask('admin-token', ['salary'])).toBe('unknown_attribute');
    expect(await ask('reader-token', ['name'])).toContain('Ann');
  });

  it('keeps everything while the database cannot be read, logs why, and is applied once it can', async () => {
    const { ask, change, errors, file } = await startOverFile(OPEN);
    const database = readFileSync(file);
    writeFileSync(file, 'not a database '.repeat(100));
    await change(`${THREE_ATTRIBUTES}\nroles: { reader: { models: all } }\n${READER}`);
    expect(errors()).toMatchObject([
      { reason: expect.stringMatching(/^database: it cannot be read/) },
    ]);
    expect(await ask('reader-token', ['salary'])).toBe('unknown_attribute');
    writeFileSync(file, database);
    await until(async () => (await ask('reader-token', ['salary'])).includes('100'));
  });
});

it('a request that was let in before a reload is held to the rules after it', async () => {
  const { app, change } = await startService(OPEN, ADMIN);
  const body = JSON.stringify({
    query_model: 'staff',
    query_attributes: ['salary'],
    page: { page: 1, size: 10 },
  });
  app.addHook('preHandler', async () =>
    change(`${THREE_ATTRIBUTES}\nroles: { ${RESTRICTED} }\n${READER}`),
  );
  const headers = { authorization: 'Bearer reader-token', 'content-type': 'application/json' };
  const reply = await app.inject({ method: 'POST', url: QUERY_PATH, headers, payload: body });
  expect(reply.json()).toMatchObject({ code: 'unknown_attribute' });
});

describe('tokens and roles', () => {
  it('change without the schema being read, so that a revoked token ends while the database is away', async () => {
    const { ask, change, errors, file } = await startOverFile(OPEN, ADMIN);
    writeFileSync(file, 'not a database '.repeat(100));
    await change(OPEN.replace(READER, 'tokens: []'));
    expect(errors()).toEqual([]);
    expect(await ask('reader-token', ['name'])).toBe('unauthenticated');
  });
});

it('attributes are shown in the order of the settings, also where a reload changes that alone', async () => {
  const { app, change } = await startService(OPEN);
  const shown = async (): Promise<string[]> => {
    const headers = { authorization: 'Bearer reader-token' };
    const reply = await app.inject({ url: `${MODELS_PATH}/staff`, headers });
    return reply.json<{ attributes: { name: string }[] }>().attributes.map(({ name }) => name);
  };
  expect(await shown()).toEqual(['id', 'name']);
  await change(OPEN.replace('id: {}, name: {}', 'name: {}, id: {}'));
  expect(await shown()).toEqual(['name', 'id']);
});

it('a new log level holds for the requests and for the service from then on', async () => {
  const { change, ask, lines } = await startService(OPEN);
  await ask('reader-token', ['name']);
  await change(`${OPEN}\nlog_level: warn`);
  await ask('reader-token', ['name']);
  await change(`${OPEN}\nlog_level: debug`);
  await ask('reader-token', ['name']);
  expect(lines()).toEqual(['answered', 'settings reloaded', 'answered']);
});

it('the operator makes the schema be read again, with settings that are the same', async () => {
  const { reload, file, ask } = await startOverFile(OPEN.replace(TWO_ATTRIBUTES, 'expose: all'));
  writeTo(file, 'alter table staff add room integer not null default 7');
  await reload('settings');
  expect(await ask('reader-token', ['room'])).toBe('unknown_attribute');
  await reload('operator');
  expect(await ask('reader-token', ['room'])).toBe('[{"room":"7"},{"room":"7"}]');
});

it('a reload proves the keys that its settings declare', async () => {
  const { change, errors, file } = await startOverFile(OPEN);
  writeTo(file, "create view names as select 'same' as name from staff");
  await change(OPEN.replace('models: {', 'models: { names: { key: [name], attributes: all },'));
  const proof = expect.stringContaining('the declared key is not unique');
  await expect.poll(() => errors().map(({ msg }) => msg)).toContainEqual(proof);
});

describe('settings that a reload does not apply', () => {
  it('are named in a warning, each with its place, and without their values', async () => {
    const { change, warnings, config } = await startService(OPEN);
    await change(
      `${OPEN}\nport: 4000\nlimits: { query_timeout_ms: 123456, max_page_size: 5, max_up_to: 7 }\nmetrics: {}\naudit: /tmp/canary.log`,
    );
    const lines = warnings().map(({ msg }) => msg.replace(config, 'file'));
    expect(lines.toSorted()).toEqual([
      'file:5: port changed: it takes effect after a restart',
      'file:6: limits.query_timeout_ms changed: it takes effect after a restart',
      'file:7: metrics changed: it takes effect after a restart',
      'file:8: audit changed: it takes effect after a restart',
    ]);
    // Once they are as they were at the start there is nothing to say.
    await change(OPEN);
    expect(warnings()).toHaveLength(4);
  });
});

it('reloads that are asked for while one runs become one more, which reads what is there then', async () => {
  const { reload, ask, change } = await startService(OPEN, ADMIN);
  let reloads = 0;
  const counted = async (): Promise<void> => {
    await reload('operator');
    reloads += 1;
  };
  const first = counted();
  await Promise.all([
    change(`${THREE_ATTRIBUTES}\nroles: { reader: { models: all } }\n${READER}`),
    counted(),
    counted(),
    first,
  ]);
  expect(reloads).toBe(3);
  expect(await ask('reader-token', ['salary'])).toContain('100');
});
