import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { CITIES, cityQuery, makeDatabase, sendTo, until, writeTo } from './helper.ts';
import { sharedServer, startServer } from './server-process.ts';

const TOKEN = 'hangup-token';
// Nobody waits for it.
const env = { DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN, DRAIN_MS: '600000' };

const tableOf = (name: string): string => `create table ${name} (id integer primary key)`;

async function statusOf(origin: string, model: string): Promise<number> {
  const body = { ...cityQuery(1, 1, ['id']), query_model: model };
  return (await sendTo(origin, body, { token: TOKEN })).status;
}

const isWindows = process.platform === 'win32';

describe.skipIf(isWindows)('SIGHUP', async () => {
  if (isWindows) return;
  const { directory, file } = makeDatabase(CITIES);
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const config = join(directory, 'settings.yaml');
  const write = (roles: string): void =>
    writeFileSync(config, `database: sqlite:${file}\nexpose: all\nroles: { reader: ${roles} }\n`);
  write('{ models: {} }');
  const { child, origin, ended, output } = await sharedServer(['--config', config], env);

  it.each(['lakes', 'rivers'])('makes a server read the schema again: %s', async (table) => {
    writeTo(file, tableOf(table));
    expect(await statusOf(origin, table)).toBe(400);
    child.kill('SIGHUP');
    // Whoever is impatient.
    child.kill('SIGHUP');
    await until(async () => (await statusOf(origin, table)) === 200);
  });

  it('while a reload fails keeps what is served, and the repaired file is applied', async () => {
    const failures = (): number =>
      output().split('reload failed, keeping the previous settings').length - 1;
    write('{ models: { none: {} } }');
    child.kill('SIGHUP');
    // A reload that was asked for before has ended by then.
    await until(() => failures() > 0);
    writeTo(file, tableOf('seas'));
    const before = failures();
    child.kill('SIGHUP');
    await until(() => failures() > before);
    expect(await statusOf(origin, 'seas')).toBe(400);
    expect(await statusOf(origin, 'cities')).toBe(200);
    expect(output()).toContain(`${config}:3: roles.reader.models.none: There is no such model.`);
    write('{ models: { seas: {} } }');
    child.kill('SIGHUP');
    await until(async () => (await statusOf(origin, 'seas')) === 200);
  });

  it('does not end a server that drains', async () => {
    child.kill('SIGTERM');
    await until(async () => (await fetch(`${origin}/readyz`)).status === 503);
    child.kill('SIGHUP');
    expect(await statusOf(origin, 'cities')).toBe(200);
    expect(child.exitCode).toBeNull();
    child.kill('SIGTERM');
    expect((await ended).code).toBe(1);
  });

  it('makes a server without a settings file read the schema again', async () => {
    const without = await startServer(['--database', `sqlite:${file}`, '--expose', 'all'], env);
    writeTo(file, tableOf('ponds'));
    expect(await statusOf(without.origin, 'ponds')).toBe(400);
    without.child.kill('SIGHUP');
    await until(async () => (await statusOf(without.origin, 'ponds')) === 200);
  });
});
