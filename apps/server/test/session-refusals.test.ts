import { writeFileSync } from 'node:fs';

import { newPostgresDatabase, type TestDatabase } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { runHere } from './run-here.ts';
import { serviceHere } from './service-here.ts';
import { settingsFile } from './settings-files.ts';

const SQL = `
  create role app login noinherit;
  create role tenant nologin;
  create role reader nologin;
  create role stranger nologin;
  grant tenant, reader to app;
  create table orders (id int primary key, tenant text not null);
  alter table orders enable row level security;
  create policy own on orders using (tenant = current_setting('app.tenant', true));
  create table notes (id int primary key, tenant text not null);
  alter table notes enable row level security;
  create policy own on notes using (tenant = current_setting('app.tenant', true));
  insert into notes values (1, 'a'), (2, 'b');
  create table plans (id int primary key);
  grant select on orders, notes, plans to tenant;
  grant select on plans to reader;
  insert into orders select i, case when i <= 3 then 'a' else 'b' end from generate_series(1, 5) i;
  insert into plans values (1), (2);
  create function tenant() returns text stable language sql
    as $$ select current_setting('app.tenant', true) $$;
  create policy slow on orders using (tenant = tenant());`;

/** A service over a settings file that can be changed. */
async function start(text: string) {
  const config = settingsFile(text);
  const service = await serviceHere({ flags: { config } });
  const change = async (changed: string): Promise<void> => {
    writeFileSync(config, changed);
    await service.reload('settings');
  };
  return { ...service, change, reasons: () => service.lines.flatMap(({ reason }) => reason ?? []) };
}

describe('the database sessions of roles', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await newPostgresDatabase();
    await database.client(SQL);
  });

  const textOf = (role: string, { models = 'all', setting = 'app.tenant' } = {}): string => `
database: ${database.url.replace('postgres@', 'app@')}
expose: all
roles:
  callers:
    models: ${models}
    database_session:
      role: ${role}
      settings: { ${setting}: $claims.tenant }
  others: { models: all, database_session: { role: tenant } }
`;

  it.each([
    [
      'nobody',
      {},
      ':8: roles.callers.database_session.role: The database has no role "nobody". ' +
        'Make it: `create role "nobody" nologin; grant "nobody" to "app"`.',
    ],
    [
      'tenant',
      { setting: 'plpgsql.tenant' },
      ':9: roles.callers.database_session.settings.plpgsql.tenant: ' +
        'Settings with this prefix belong to the service, or to an extension of the database. ' +
        'Choose another name, such as `app.tenant`.',
    ],
    [
      'reader',
      { models: '{ orders: {}, plans: {} }' },
      ':8: roles.callers.database_session.role: "reader" may not read "public"."orders". Run ' +
        '`grant select on "public"."orders" to "reader"`, and grant it usage on their schemas.',
    ],
  ])('are refused at the start and by check: %s %j', async (role, parts, line) => {
    const text = textOf(role, parts);
    await expect(start(text)).rejects.toThrow(line);
    const { code, stderr } = await runHere(['check', '--config', settingsFile(text)]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(line) });
  });

  it('are refused by a reload, and the settings before them stay', async () => {
    const { change, reasons } = await start(textOf('tenant'));
    await change(textOf('stranger'));
    expect(reasons()).toEqual([
      expect.stringContaining('The login "app" may not read as "stranger".'),
    ]);
  });

  const callersSee = async (...options: readonly string[]): Promise<string> => {
    const args = ['check', '--config', settingsFile(textOf('tenant')), ...options];
    const { stdout, stderr } = await runHere(args);
    return stdout.replace(/^No errors.*\n/m, '') + stderr;
  };

  it('are shown by check: what a caller sees, whether it is kept, and what is slow', async () => {
    expect(await callersSee('--role', 'callers', '--claims', '{"tenant":"a"}')).toContain(
      [
        'as callers: notes: records: 1; kept by its version, and with `follow` while others write',
        'as callers: orders: records: 3; nothing is kept: of its policy slow: it calls ' +
          'public.tenant(): `trusts` may name it if its result depends on the settings and on ' +
          'tables alone',
        'as callers: plans: records: 2; kept by its version',
        'slow: The policy slow of orders evaluates tenant() for each row. Write `(select …)` ' +
          'around what is the same for all rows.\n',
      ].join('\n'),
    );
    expect(await callersSee('--role', 'others')).toContain('as others: orders: records: 0; ');
  });

  it('are shown by check to refuse a caller without a claim', async () => {
    expect(await callersSee('--role', 'callers')).toContain(
      'as callers: refused: claim_missing: The token lacks claims.tenant.\n',
    );
  });

  it.each([
    [['--role', 'toString'], '--role: there is no role toString. There are: callers, others.'],
    [['--role', 'callers', '--claims', '[1]'], '--claims: expected an object as JSON'],
    [['--role', 'callers', '--claims', '{'], '--claims: expected an object as JSON'],
  ])('are not shown by check for %j', async (options, message) => {
    expect(await callersSee(...options)).toContain(message);
  });

  it('start with a warning where the login could read without them', async () => {
    await database.client('create role careless login noinherit in role tenant');
    await database.client('grant select on orders to careless');
    const { warnings } = await start(textOf('tenant').replace('app@', 'careless@'));
    expect(warnings).toContainEqual(
      expect.stringMatching(
        /^warning: .*:8: roles\.callers\.database_session\.role: The login "careless" may read/,
      ),
    );
  });
});
