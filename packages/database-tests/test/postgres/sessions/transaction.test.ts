import { Grant } from '@proj/engine';
import { describe, expect, it } from 'vitest';

import { exported } from '../../exported.ts';
import { ask, open } from '../../open.ts';
import { startProxy } from '../../proxy.ts';
import { urlOf, usePostgres } from '../server.ts';
import { TENANT_SESSIONS, tenantGrant, TENANTS_SQL } from './tenants.ts';

const SQL = `${TENANTS_SQL}
  create function raises() returns boolean stable language plpgsql as
    $$ begin raise exception 'nobody knows you'; end $$;
  create table raising (id int primary key);
  insert into raising values (1);
  alter table raising enable row level security;
  create policy raising on raising to tenant using (raises());
  create table numbered (id int primary key);
  insert into numbered values (1);
  alter table numbered enable row level security;
  create policy numbered on numbered to tenant
    using (id = current_setting('app.tenant', true)::int);
  create table unset (id int primary key);
  insert into unset values (1);
  alter table unset enable row level security;
  create policy unset on unset to tenant using (id::text = current_setting('app.unknown'));
  set check_function_bodies = off;
  create function broken() returns boolean stable language plpgsql as 'no body';
  create table unparsed (id int primary key);
  insert into unparsed values (1);
  alter table unparsed enable row level security;
  create policy unparsed on unparsed to tenant using (broken());
  grant select on raising, numbered, unset, unparsed to tenant;`;

/** What is shown of a statement in the log, without what is the same in all lines. */
const SHOWN = /LOG: {2}(?:statement|execute [^:]*): (?<text>.*)/;

describe('a read as a caller', () => {
  const postgres = usePostgres(SQL);

  it('locks what it reads and what policies read, then takes its snapshot, in one round trip', async () => {
    const proxy = await startProxy(Number(new URL(postgres().url).port));
    const url = new URL(urlOf(postgres(), 'login'));
    url.port = String(proxy.port);
    const engine = await open(url.href, TENANT_SESSIONS);
    const question = { model: 'shared', attributes: ['id'] };
    await ask(engine, question, tenantGrant(1));
    const [before, turns] = [(await postgres().log()).length, proxy.turns()];
    await ask(engine, question, tenantGrant(2));
    expect(proxy.turns() - turns).toBe(1);
    const log = (await postgres().log()).slice(before);
    const texts = log.split('\n').flatMap((line) => SHOWN.exec(line)?.groups?.['text'] ?? []);
    expect(texts.map((text) => text.slice(0, 40))).toEqual([
      'begin isolation level repeatable read re',
      'lock table "public"."shared", "public"."',
      "select concat_ws('|', (select concat_ws(",
      'select "tenant".* from (select "r".*, ca',
      'rollback',
      "select concat_ws('|', (select concat_ws(",
    ]);
    expect(texts[2]).toContain(', set_config($1, $2, true), set_con');
    expect(texts[0]).toMatch(/; set local search_path to default; .*set local role "tenant"$/);
    expect(texts[1]).toContain('"memberships" in access share mode');
    await engine.close();
    await proxy.close();
  });

  it.each([
    ['raising', 'policy_failed'],
    ['numbered', 'policy_failed'],
    ['unparsed', 'policy_failed'],
    ['unset', 'session_refused'],
  ])('of %s, whose policy fails, has the problem %s', async (model, code) => {
    const engine = await open(urlOf(postgres(), 'login'), TENANT_SESSIONS);
    const before = (await postgres().log()).length;
    const asked = ask(engine, { model, attributes: ['id'] }, tenantGrant(1));
    await expect(asked).rejects.toMatchObject({ code });
    const log = (await postgres().log()).slice(before);
    expect(log).not.toContain('pg_attribute');
  });

  it('of a role that was revoked is refused, and the catalogue is not read again', async () => {
    await postgres().client(
      'create role guest; grant guest to login; grant select on open to guest',
    );
    const engine = await open(urlOf(postgres(), 'login'), TENANT_SESSIONS);
    const guest = new Grant('all', { role: 'guest', settings: {}, trusts: [] });
    const question = { model: 'open', attributes: ['id'] };
    await ask(engine, question, guest);
    await postgres().client('revoke guest from login');
    await expect(ask(engine, question, guest)).rejects.toMatchObject({ code: 'session_refused' });
  });

  it('goes by the roles that its role has at that moment, also on a connection that read before', async () => {
    await postgres().client(
      `create role clerk; grant clerk to tenant; create table filed (id int primary key);
       insert into filed values (1); alter table filed enable row level security;
       create policy clerks on filed to clerk using (true); grant select on filed to tenant`,
    );
    const acceleration = { replyCache: false, totalCache: false };
    const limits = { sessions: TENANT_SESSIONS.sessions, acceleration, processes: 8 };
    const engine = await open(urlOf(postgres(), 'login'), limits);
    const question = { model: 'filed', attributes: ['id'] };
    const totals: string[] = [];
    for (const statement of ['revoke clerk from tenant', 'grant clerk to tenant', 'select 1']) {
      for (let read = 0; read < 8; read++) {
        totals.push((await ask(engine, question, tenantGrant(1))).page.total);
      }
      await postgres().client(statement);
    }
    expect(totals.join('')).toBe(`${'1'.repeat(8)}${'0'.repeat(8)}${'1'.repeat(8)}`);
  });

  it('that a policy ends after an export began has the problem policy_failed', async () => {
    const replace = (body: string): Promise<unknown> =>
      postgres().client(
        `create or replace function passes() returns boolean stable language plpgsql as
          $$ begin ${body}; end $$`,
      );
    await replace('return true');
    await postgres().client(
      `create table passing (id int primary key); insert into passing values (1);
       alter table passing enable row level security;
       create policy passing on passing to tenant using (passes());
       grant select on passing to tenant`,
    );
    const engine = await open(urlOf(postgres(), 'login'), TENANT_SESSIONS);
    const onProgress = async (records: number): Promise<void> => {
      if (records === 0) await replace(`raise exception 'no longer'`);
    };
    const terms = { grant: tenantGrant(1), onProgress };
    await expect(exported(engine, { model: 'passing' }, terms)).rejects.toMatchObject({
      code: 'policy_failed',
    });
  });
});
