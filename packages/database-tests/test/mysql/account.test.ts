import { SettingsError } from '@proj/engine';
import { expect, it } from 'vitest';

import { openMysql } from '../../../mysql/src/source.ts';
import { ask, open } from '../open.ts';
import { outcome } from '../outcome.ts';
import { describeMariadb, nameOf, useMariadb } from './mariadb.ts';
import { read } from './slow.ts';

const sqlOf = (
  name: string,
): string => `create table shown (id int primary key, name varchar(20), salary int); insert into shown values (1, 'a', 5);
  create table hidden (id int primary key);
  create user reader@'%' identified by 'pass/word@%'; grant select on ${name}.* to reader@'%'; grant process on *.* to reader@'%';
  create table lent (id int primary key);
  create user borrower@'%'; grant select on ${name}.lent to borrower@'%'; grant select on ${name}.shown to borrower@'%';
  create user writer@'%'; grant select, insert, update (name) on ${name}.shown to writer@'%'; grant process on *.* to writer@'%';
  create user narrow@'%'; grant select (id, name) on ${name}.shown to narrow@'%';`;

describeMariadb('an account of MariaDB', () => {
  const mariadb = useMariadb(sqlOf);
  const nameNow = (): string => nameOf(mariadb());
  const urlOf = (login: string, database = nameNow()): string =>
    mariadb().url.replace('root@', `${login}@`).replace(/\w+$/, database);

  it('that only reads is no reason for a warning, and may have a password with any characters', async () => {
    const source = await openMysql(urlOf('reader:pass%2Fword%40%25'));
    expect(await source.warnings?.()).toEqual([]);
    expect((await source.introspect()).map(({ name }) => name)).toEqual([
      'hidden',
      'lent',
      'shown',
    ]);
    await source.close();
  });

  it('is not blamed for the databases in which everybody may write, as MariaDB comes with them', async () => {
    const everybody =
      'grant all on everybodys.* to public; grant all on `everybodys\\_%`.* to public;';
    await mariadb().client(`create database everybodys; ${everybody}`);
    const source = await openMysql(urlOf('reader:pass%2Fword%40%25'));
    expect(await source.warnings?.()).toEqual([]);
    await source.close();
    await mariadb().client(`grant insert on ${nameNow()}.* to public`);
    const warned = await openMysql(urlOf('reader:pass%2Fword%40%25'));
    expect(await warned.warnings?.()).toEqual([
      expect.stringContaining('may write (INSERT).') as string,
    ]);
    await warned.close();
    await mariadb().client(
      `revoke insert on ${nameNow()}.* from public; ${everybody.replaceAll('grant', 'revoke').replaceAll(' to ', ' from ')}`,
    );
  });

  it('that could write is named with its rights, and its sessions cannot write', async () => {
    const source = await openMysql(urlOf('writer'));
    expect(await source.warnings?.()).toEqual([
      expect.stringMatching(
        /^The database account writer@% may write \((INSERT, UPDATE|UPDATE, INSERT)\)\. /,
      ) as string,
    ]);
    expect(await outcome(read(source, "insert into shown values (2, 'b', 6)"))).toBe(
      'model_unreadable',
    );
    expect(await mariadb().client('select count(*) from shown')).toBe('1');
    await source.close();
  });

  it('without PROCESS gets a warning that says what the right brings, and what it shows', async () => {
    const source = await openMysql(urlOf('narrow'));
    expect(await source.warnings?.()).toEqual([
      expect.stringMatching(
        /^The database account narrow@% lacks the right PROCESS, .*`grant process on \*\.\* to …`.*other sessions/,
      ) as string,
    ]);
    await source.close();
  });

  it('with all rights is named too', async () => {
    const source = await openMysql(mariadb().url);
    expect(await source.warnings?.()).toEqual([
      expect.stringContaining('ALL PRIVILEGES') as string,
    ]);
    await source.close();
  });

  it('that loses a right for a while gets answers again as soon as it has the right back', async () => {
    const engine = await open(urlOf('borrower'));
    const lent = { model: 'lent', attributes: ['id'] };
    expect((await ask(engine, lent)).records).toEqual([]);
    await mariadb().client(`revoke select on ${nameNow()}.lent from borrower@'%'`);
    await expect(ask(engine, lent)).rejects.toMatchObject({ code: 'model_unavailable' });
    await mariadb().client(`grant select on ${nameNow()}.lent to borrower@'%'`);
    expect((await ask(engine, lent)).records).toEqual([]);
  });

  it('sees only the columns that it may read, and serves by them', async () => {
    const source = await openMysql(urlOf('narrow'));
    const [relation, ...others] = await source.introspect();
    expect(others).toEqual([]);
    expect(relation?.columns.map(({ name }) => name)).toEqual(['id', 'name']);
    expect(relation?.keys).toEqual([[{ column: 'id' }]]);
    expect(await outcome(read(source, 'select salary, 1 from shown'))).toBe('schema_changed');
    await source.close();
  });

  it.each([
    ['of a wrong password', 'reader:wrong', undefined],
    ['that does not exist', 'nobody:secret', undefined],
    ['without rights on the database', 'reader:pass%2Fword%40%25', 'mysql'],
    ['of a database that does not exist', 'root', 'nowhere'],
  ])(
    '%s is an error of the settings, reported without the password',
    async (_case, login, database) => {
      const error: unknown = await openMysql(urlOf(login, database)).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(SettingsError);
      const message = error instanceof Error ? error.message : '';
      expect(message).toMatch(/^database: the server refuses the connection: /);
      expect(message).not.toMatch(/wrong|secret|pass\/word/);
    },
  );

  it('that demands TLS of a server without it is an error of the settings', async () => {
    await expect(openMysql(`${mariadb().url}?ssl-mode=required`)).rejects.toThrow(SettingsError);
  });

  it('may come through a Unix socket', async () => {
    const socket = encodeURIComponent(await mariadb().client('select @@socket'));
    const source = await openMysql(`mariadb://root@localhost/${nameNow()}?socket=${socket}`);
    expect(await read(source, 'select 1, 1')).toBe('[{"value":1}]');
    await source.close();
  });
});
