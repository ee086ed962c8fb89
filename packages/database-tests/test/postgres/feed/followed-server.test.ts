import { type FollowReport, type FollowSettings, SettingsError } from '@proj/engine';
import { describe, expect, it } from 'vitest';

import { open } from '../../open.ts';
import { describePgBouncer, startPooler } from '../pgbouncer.ts';
import { urlOf, usePostgres } from '../server.ts';

const SQL = `
  create table orders (id int primary key);
  create role follower login replication;
  create role shut nologin replication;`;

async function reportFor(
  database: string,
  follow: FollowSettings,
): Promise<FollowReport | undefined> {
  const engine = await open(database, { follow });
  return engine.followReport();
}

async function refusalOf(database: string, follow: FollowSettings): Promise<string> {
  try {
    await reportFor(database, follow);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
  }
  return 'none';
}

const postgres = usePostgres(SQL);

describe('the server that is to be followed', () => {
  it('is that of the database unless the settings name another', async () => {
    const follow = { url: urlOf(postgres(), 'follower') };
    const [own, named] = [
      await reportFor(postgres().url, true),
      await reportFor(postgres().url, follow),
    ];
    expect(own?.notes[0]).toMatch(/^The role postgres has REPLICATION: /);
    expect(named?.notes[0]).toMatch(/^The role follower has REPLICATION: /);
    expect(named?.missing).toEqual(own?.missing);
  });

  it('is read for the publication that the settings name', async () => {
    const report = await reportFor(postgres().url, { publication: 'Chosen' });
    expect(report?.missing[0]?.statements[0]).toMatch(/^create publication "Chosen" for table /);
  });

  it('is refused where it is another database than the one that is read', async () => {
    await postgres().client('create database other');
    const follow = { url: urlOf(postgres(), 'follower', 'other') };
    expect(await refusalOf(postgres().url, follow)).toBe(
      'follow.url: it leads to another server or database than `database`. ' +
        'Let both name the same.',
    );
  });

  it('is missing where it lets nobody in, with the reason', async () => {
    const report = await reportFor(postgres().url, { url: urlOf(postgres(), 'shut') });
    expect(report?.missing).toMatchObject([
      { problem: expect.stringContaining('role "shut" is not permitted to log in.') as string },
    ]);
  });

  it('is missing where the role may not ask what it lacks, with the reason', async () => {
    await postgres().client('revoke execute on function pg_stat_get_wal_senders from public');
    const report = await reportFor(postgres().url, { url: urlOf(postgres(), 'follower') });
    await postgres().client('grant execute on function pg_stat_get_wal_senders to public');
    expect(report?.missing).toMatchObject([
      { problem: expect.stringContaining('permission denied for function') as string },
    ]);
  });

  it('has a URL that is read as such', async () => {
    expect(await refusalOf(postgres().url, { url: 'nowhere' })).toMatch(
      /^follow\.url: expected a URL such as postgres:/,
    );
  });
});

describePgBouncer('a pooler before the server that is to be followed', () => {
  const REFUSAL =
    'a pooler is before the server, and changes are read on a connection of their own. ' +
    'Set follow.url to the address of the server itself.';

  it.each(['transaction', 'session', 'statement'] as const)(
    'is refused in %s mode, with the remedy',
    async (mode) => {
      const url = await startPooler({ server: postgres().url, mode });
      expect(await refusalOf(postgres().url, { url })).toBe(`follow.url: ${REFUSAL}`);
    },
  );

  it('is refused where pages are read through it and no other address is given', async () => {
    const url = await startPooler({ server: postgres().url, mode: 'transaction' });
    expect(await refusalOf(url, true)).toBe(`follow: ${REFUSAL}`);
  });

  it('is passed by where the settings give the address of the server itself', async () => {
    const url = await startPooler({ server: postgres().url, mode: 'transaction' });
    const report = await reportFor(url, { url: postgres().url });
    expect(report?.missing[0]?.problem).toBe('There is no publication dynamic_query.');
  });
});
