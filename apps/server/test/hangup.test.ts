import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { RunningService } from '@proj/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';

import { sha256 } from '../src/access/tokens.ts';
import { CITIES, cityQuery, makeDatabase, QUERY_PATH, until } from './helper.ts';
import { startServer } from './server-process.ts';

const TOKEN = 'hangup-token';
const env = { DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN };

interface Started extends RunningService {
  readonly file: string;
  readonly config: string;
}

/** A started server with its settings in a file, beside its database, its audit and its log. */
async function withFile(
  settings: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const { directory, file } = database();
  const config = join(directory, 'settings.yaml');
  writeFileSync(config, `database: sqlite:${file}\n${settings}`);
  return { ...(await startServer(['--config', config], { ...env, ...more })), file, config };
}

async function withoutFile(): Promise<Started> {
  const { file } = database();
  return {
    ...(await startServer(['--database', `sqlite:${file}`, '--expose', 'all'], env)),
    file,
    config: '',
  };
}

function database(): { directory: string; file: string } {
  const made = makeDatabase(CITIES);
  onTestFinished(() => rmSync(made.directory, { recursive: true, force: true }));
  return made;
}

function addTable(file: string, name: string): void {
  const writer = new DatabaseSync(file);
  writer.exec(`create table ${name} (id integer primary key)`);
  writer.close();
}

async function statusOf(origin: string, model: string, token = TOKEN): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ ...cityQuery(1, 1, ['id']), query_model: model });
  return (await fetch(origin + QUERY_PATH, { method: 'POST', headers, body })).status;
}

const count = (text: string, part: string): number => text.split(part).length - 1;

describe.skipIf(process.platform === 'win32')('SIGHUP to a listening server', () => {
  it.each([
    ['with a settings file', () => withFile('expose: all\n')],
    ['without a settings file', withoutFile],
  ])('reads the schema again and does not end it: %s', async (_what, start) => {
    const { child, origin, ended, file } = await start();
    for (const table of ['lakes', 'rivers']) {
      addTable(file, table);
      expect(await statusOf(origin, table)).toBe(400);
      child.kill('SIGHUP');
      await until(async () => (await statusOf(origin, table)) === 200);
    }
    expect(child.exitCode).toBeNull();
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  it('twice in a row reloads, and does not end it', async () => {
    const { child, origin, file, output } = await withFile('expose: all\n');
    addTable(file, 'lakes');
    child.kill('SIGHUP');
    child.kill('SIGHUP');
    await until(async () => (await statusOf(origin, 'lakes')) === 200);
    await until(() => output().includes('settings and catalogue reloaded'));
    expect(child.exitCode).toBeNull();
  });

  it('while a reload fails keeps what is served, and the repaired file is applied', async () => {
    const { child, origin, file, config, output } = await withFile('expose: all\n');
    addTable(file, 'lakes');
    writeFileSync(
      config,
      `database: sqlite:${file}\nexpose: all\nroles: { reader: { models: { none: {} } } }\n`,
    );
    child.kill('SIGHUP');
    child.kill('SIGHUP');
    await until(() => output().includes('reload failed, keeping the previous settings'));
    child.kill('SIGHUP');
    expect(await statusOf(origin, 'lakes')).toBe(400);
    expect(await statusOf(origin, 'cities')).toBe(200);
    expect(output()).toContain(`${config}:3: roles.reader.models.none: There is no such model.`);
    writeFileSync(
      config,
      `database: sqlite:${file}\nexpose: all\nroles: { reader: { models: { lakes: {} } } }\n`,
    );
    child.kill('SIGHUP');
    await until(async () => (await statusOf(origin, 'lakes')) === 200);
    expect(child.exitCode).toBeNull();
  });

  it('while it drains does not end it before its time', async () => {
    const { child, origin, ended } = await withFile('expose: all\n', { DRAIN_MS: '1000' });
    child.kill('SIGTERM');
    await until(async () => (await fetch(`${origin}/readyz`)).status === 503);
    child.kill('SIGHUP');
    expect((await ended).code).toBe(0);
  });
});

it('a token is revoked while the audit grows beside the settings file and the file is touched all the time', async () => {
  const settings = `expose: all\naudit: AUDIT\nroles: { all: { models: all } }\n`;
  const token = `tokens: [{ name: guest, role: all, sha256: ${sha256('guest-token')} }]\n`;
  const { directory, file } = database();
  const config = join(directory, 'settings.yaml');
  const write = (tokens: string) =>
    writeFileSync(
      config,
      `database: sqlite:${file}\n${settings.replace('AUDIT', join(directory, 'audit.jsonl'))}${tokens}`,
    );
  write(token);
  const { origin, output } = await startServer(['--config', config], env);
  const touching = setInterval(() => utimesSync(config, new Date(), new Date()), 50);
  onTestFinished(() => clearInterval(touching));
  for (let turn = 0; turn < 40; turn++)
    expect(await statusOf(origin, 'cities', 'guest-token')).toBe(200);
  write('tokens: []\n');
  await until(async () => (await statusOf(origin, 'cities', 'guest-token')) === 401);
  await until(() => output().includes('settings reloaded'));
  expect(count(output(), 'reloaded')).toBe(1);
});
