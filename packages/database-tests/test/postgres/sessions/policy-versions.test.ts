import type { Engine, Model } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { open } from '../../open.ts';
import { usePostgres } from '../server.ts';

const BASE = `
create role login login noinherit;
create role tenant nologin;
create role other nologin;
grant tenant to login;
create schema auth;
grant usage on schema auth to tenant;
create function auth.uid() returns uuid stable language sql as
  $$ select nullif(current_setting('request.jwt.claim.sub', true), '')::uuid $$;
create function auth.written() returns text stable language sql
  return current_setting('app.tenant', true);
create function auth.of_others() returns text stable security definer language sql
  return current_setting('app.tenant', true);
create function auth.volatile() returns text volatile language sql
  return current_setting('app.tenant', true);
create function auth.procedural(text) returns boolean stable language plpgsql as
  $$ begin return $1 = current_setting('app.tenant', true); end $$;
create function auth.clock() returns timestamptz stable language sql return now();
create table memberships (tenant text, uid uuid, role text, primary key (tenant, uid));
alter table memberships enable row level security;
create policy own on memberships to tenant
  using (uid = nullif(current_setting('request.jwt.claim.sub', true), '')::uuid);
create table moving (id int primary key, tenant text);
alter table moving enable row level security;
create policy moves on moving to tenant using (random() < 0.5);
create table parent (id int primary key, tenant text) partition by range (id);
create table child partition of parent for values from (0) to (1000);
create extension file_fdw;
create server files foreign data wrapper file_fdw;
create table spread (id int not null, tenant text) partition by range (id);
create foreign table afar partition of spread for values from (0) to (1000)
  server files options (program 'echo 1');
alter table spread enable row level security;
create view own_memberships with (security_invoker = true) as select * from memberships;`;

const SETTINGS = ['app.tenant', 'request.jwt.claim.sub', 'request.jwt.claims'];

/** Policies by which callers with the same settings see the same rows of the same data. */
const ALLOWED = [
  'true',
  `tenant = current_setting('app.tenant')`,
  `tenant = current_setting('APP.Tenant', true)`,
  `tenant = (select current_setting('app.tenant', true))`,
  `tenant = (current_setting('request.jwt.claims', true)::json ->> 'tenant')`,
  `tenant = (current_setting('request.jwt.claims', true)::jsonb -> 'app' ->> 'tenant')`,
  `id = nullif(current_setting('app.tenant', true), '')::int`,
  `tenant = any (string_to_array(current_setting('app.tenant', true), ','))`,
  'tenant = current_user',
  `exists (select from memberships m where m.tenant = policed.tenant)`,
  `tenant in (select m.tenant from memberships m where m.uid = auth.uid() and m.role = 'admin')`,
  'tenant in (select tenant from own_memberships)',
  'tenant = auth.uid()::text',
  'tenant = auth.written()',
];

/** By which settings some of them decide beside the row; undefined where they read more. */
const DECIDING: readonly (readonly [policy: string, settings: readonly string[] | undefined])[] = [
  ['true', []],
  [`tenant = current_setting('APP.Tenant', true)`, ['app.tenant']],
  [`tenant = (select current_setting('app.tenant', true))`, ['app.tenant']],
  [
    `tenant = (current_setting('request.jwt.claims', true)::json ->> 'tenant')`,
    ['request.jwt.claims'],
  ],
  ['tenant = current_user', []],
  [`exists (select from memberships m where m.tenant = policed.tenant)`, undefined],
  ['tenant in (select tenant from own_memberships)', undefined],
  ['tenant = auth.uid()::text', undefined],
  ['tenant = auth.written()', undefined],
];

/** Others, and why they have no version. */
const REFUSED: readonly (readonly [policy: string, why: string])[] = [
  [`tenant = current_setting('app.other', true)`, 'it calls a function that is not built in'],
  [`current_setting(tenant, true) = 'a'`, 'it calls a function that is not built in'],
  [`tenant = current_setting('timezone')`, 'it calls a function that is not built in'],
  [`now() > '2020-01-01'`, 'it calls a function that is not built in'],
  ['random() < 0.5', 'it calls a function that is not built in'],
  ['current_date > $$2020-01-01$$', 'sqlvaluefunction'],
  [`current_setting('app.tenant', true)::date > '2020-01-01'`, 'a cast whose result may depend'],
  ['tenant = auth.of_others()', 'it calls auth.of_others()'],
  ['tenant = auth.volatile()', 'it calls auth.volatile()'],
  ['auth.procedural(tenant)', 'it calls auth.procedural(text)'],
  [`auth.clock() > '2020-01-01'`, 'it calls a function that is not built in'],
  ['exists (select from moving)', 'of its policy moves'],
  [`pg_has_role('other', 'member')`, 'it calls a function that is not built in'],
  ['(select count(*) from memberships) > 0', 'it groups rows'],
  ['exists (select from memberships limit 1)', 'it cuts off rows'],
  ['exists (select from pg_class)', 'it reads something other than ordinary tables and views'],
];

const TRUSTED = ['auth.volatile()', 'auth.procedural(text)', 'auth.of_others()'];

function tablesOf(policies: readonly string[], prefix: string): string {
  return policies
    .map((policy, index) => {
      const name = `${prefix}${index}`;
      return `create table ${name} (id int primary key, tenant text);
        alter table ${name} enable row level security;
        create policy own on ${name} for select to tenant
          using (${policy.replaceAll('policed', name)});`;
    })
    .join('\n');
}

const SQL = `${BASE}
${tablesOf(ALLOWED, 'allowed')}
${tablesOf(
  REFUSED.map(([policy]) => policy),
  'refused',
)}
alter table parent enable row level security;
create policy own on parent to tenant using (true);
create table closed (id int primary key);
alter table closed enable row level security;
create policy others on closed to other using (random() < 0.5);
create view as_owner as select * from allowed0;
create view as_invoker with (security_invoker = true) as select * from allowed0;
grant select on all tables in schema public to tenant;`;

describe('rows that policies show to a role', () => {
  const postgres = usePostgres(SQL);
  let engine: Engine;
  let trusting: Engine;
  const reopen = (trusts: readonly string[]): Promise<Engine> =>
    open(postgres().url, {
      sessions: [{ role: 'tenant', settings: SETTINGS, trusts }],
      models: {
        as_owner: { key: ['id'] },
        as_invoker: { key: ['id'] },
        spread: { key: ['id'], distributed: 'approximate' },
      },
    });
  beforeAll(async () => {
    engine = await reopen(['auth.uid()']);
    trusting = await reopen(['auth.uid()', ...TRUSTED]);
  });

  const accessTo = (
    name: string,
    asked = engine,
  ): NonNullable<Model['roles']>[number] | undefined =>
    asked.catalogue.get(name)?.roles?.find(({ role }) => role === 'tenant');

  it.each(ALLOWED.map((policy, index) => ({ policy, index })))(
    'have a version where the policy is $policy',
    ({ index }) => {
      expect(accessTo(`allowed${index}`)).toMatchObject({ definition: expect.any(String) });
    },
  );

  it.each(DECIDING.map(([policy, settings]) => ({ policy, settings })))(
    'are decided by the row and $settings where the policy is $policy',
    ({ policy, settings }) => {
      expect(accessTo(`allowed${ALLOWED.indexOf(policy)}`)?.decidesBy).toEqual(settings);
    },
  );

  it.each(REFUSED.map(([policy, why], index) => ({ policy, why, index })))(
    'have none where the policy is $policy, and it is said why: $why',
    ({ why, index }) => {
      expect(accessTo(`refused${index}`)).toMatchObject({
        unversioned: expect.stringContaining(why),
      });
    },
  );

  it.each(TRUSTED)('have a version where the operator trusts %s', (name) => {
    const index = REFUSED.findIndex(([, why]) => why.endsWith(name));
    expect(accessTo(`refused${index}`, trusting)).toMatchObject({ definition: expect.any(String) });
  });

  it('have a version where no policy is for the role, which then sees none', () => {
    expect(accessTo('closed')).toMatchObject({ definition: expect.any(String) });
  });

  it('have a version through a view that reads with the rights of its reader only', () => {
    expect(accessTo('as_invoker')).toMatchObject({ definition: expect.any(String) });
    expect(accessTo('as_owner')).toMatchObject({
      unversioned: 'it reads a table with row security',
    });
  });

  it('have a version in a table whose partitions are of this server', () => {
    expect(accessTo('parent')).toMatchObject({ definition: expect.any(String) });
    expect(accessTo('spread')).toMatchObject({
      unversioned: expect.stringContaining('with children'),
    });
  });
});
