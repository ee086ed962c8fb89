import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { SettingsError } from '@proj/engine';
import { until } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { openPostgres } from '../../../postgres/src/source.ts';
import { idsOf } from '../lists.ts';
import { ask, open } from '../open.ts';
import { outcome } from '../outcome.ts';
import { openSource, type PostgresServer, read, urlOf, useOwnPostgres } from './server.ts';

const SQL = `create table shown (id int primary key, name text); insert into shown values (1, 'a');
  create table other (id int primary key);
  create role reader login password 'pass/word@%'; grant select on all tables in schema public to reader;
  create role writer login; grant select, insert on shown to writer; grant select, delete on other to writer;
  create role updater login; grant select, update (name) on shown to updater;
  create role heir login in role writer;
  create function sneaky() returns text language plpgsql security definer as
    $$ begin insert into shown values (2, 'b'); return 'written'; end $$;
  create table lent (id int primary key); grant select on lent to reader;
  create view trap as select 1 as id, sneaky() as note;
  grant select on trap to reader;
  create table many (id int primary key, note text);
  insert into many select i, md5(i::text) || repeat('x', 200) from generate_series(1, 60000) i;
  create role narrow login; grant select on shown, many to narrow;
  alter role narrow set temp_file_limit = 0;`;

describe('a role of PostgreSQL', () => {
  const postgres = useOwnPostgres({ sql: SQL });
  beforeAll(() => demandPassword(postgres(), 'reader'));

  async function warningsOf(login: string): Promise<string[]> {
    const source = await openSource(urlOf(postgres(), login));
    return (await source.warnings?.()) ?? [];
  }

  it('that only reads is no reason for a warning, and may have a password with any characters', async () => {
    expect(await warningsOf('reader:pass%2Fword%40%25')).toEqual([]);
  });

  it('that is a superuser is named', async () => {
    expect(await warningsOf('postgres')).toEqual([
      'The database role postgres is a superuser. Give the service one that has SELECT on what it serves.',
    ]);
  });

  it.each([
    ['writer', 2],
    ['heir', 2],
  ])('that could write, such as %s, is named', async (role, tables) => {
    expect(await warningsOf(role)).toEqual([
      `The database role ${role} may write to ${tables} tables. Give the service one that has SELECT only.`,
    ]);
  });

  it('that loses a right for a while gets answers again as soon as it has the right back', async () => {
    const engine = await open(urlOf(postgres(), 'reader:pass%2Fword%40%25'));
    const lent = { model: 'lent', attributes: ['id'] };
    await postgres().client('revoke select on lent from reader');
    await expect(ask(engine, lent)).rejects.toMatchObject({ code: 'model_unavailable' });
    await postgres().client('grant select on lent to reader');
    expect((await ask(engine, lent)).records).toEqual([]);
  });

  it('cannot write, including through a function that a view calls', async () => {
    const url = urlOf(postgres(), 'reader:pass%2Fword%40%25');
    const engine = await open(url, { models: { trap: { key: ['id'] } } });
    await expect(ask(engine, { model: 'trap', attributes: ['note'] })).rejects.toThrow(
      /PostgreSQL 25006: /,
    );
    const source = await openSource(postgres().url);
    expect(await outcome(read(source, `insert into shown values (3, 'c') returning name, 1`))).toBe(
      'model_unreadable',
    );
    expect(await postgres().client('select count(*) from shown')).toBe('1');
  });

  it('that may take no temporary space ends a query that needs it, and serves what needs none', async () => {
    const engine = await open(urlOf(postgres(), 'narrow'));
    const many = {
      model: 'many',
      attributes: ['id', 'note'],
      sort: ['note'],
      page: 500,
      size: 100,
    };
    await expect(ask(engine, many)).rejects.toMatchObject({ code: 'query_timeout' });
    expect(await idsOf(engine, 'shown')).toEqual([1]);
  });

  it.each([
    ['with a wrong password', 'reader:wrong-secret', 'postgres'],
    ['that does not exist', 'nobody:wrong-secret', 'postgres'],
    ['of a database that does not exist', 'postgres:wrong-secret', 'nowhere'],
  ])(
    '%s is an error of the settings, reported without the password',
    async (_case, login, database) => {
      const error: unknown = await openPostgres(urlOf(postgres(), login, database)).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(SettingsError);
      const message = error instanceof Error ? error.message : '';
      expect(message).toMatch(/^database: cannot connect: /);
      expect(message).not.toContain('wrong-secret');
    },
  );

  it('without a password where one is needed is an error of the settings', async () => {
    expect(await outcome(openPostgres(urlOf(postgres(), 'reader')))).toMatch(/^SettingsError: /);
  });
});

/** Makes the server, which trusts everybody, ask one role for its password. */
async function demandPassword(server: PostgresServer, role: string): Promise<void> {
  const file = join(server.directory, 'pg_hba.conf');
  const before = await readFile(file, 'utf8');
  await writeFile(file, `host all ${role} all scram-sha-256\n${before}`);
  await server.client('select pg_reload_conf()');
  const url = urlOf(server, role);
  await until(async () => (await outcome(openPostgres(url))).startsWith('SettingsError: '));
}
