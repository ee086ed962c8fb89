import type { AskedSession, Engine, SessionProblem } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { open } from '../../open.ts';
import { urlOf, usePostgres } from '../server.ts';
import { TENANT_SESSIONS, TENANTS_SQL } from './tenants.ts';

/** Tables whose policies have these expressions, and what of them is evaluated for each row. */
const POLICIES = [
  ['plain', `tenant = current_setting('app.tenant', true)`, undefined],
  ['called', 'tenant = auth()', 'auth()'],
  ['twice', 'tenant = auth() or mine(tenant)', 'auth(), mine(text)'],
  ['wrapped', 'tenant = (select auth())', undefined],
  ['listed', 'tenant in (select member from memberships where tenant = auth())', undefined],
  ['compared', 'auth() in (select tenant from memberships)', 'auth()'],
  [
    'correlated',
    'exists (select from memberships m where m.tenant = correlated.tenant and m.member = auth())',
    'auth()',
  ],
  [
    'inner_only',
    `exists (select from memberships m
      where m.member in (select s.tenant from shared s where s.tenant = m.tenant and mine(s.tenant)))`,
    undefined,
  ],
  [
    'nested',
    `exists (select from memberships m
      where m.member in (select s.tenant from shared s where s.tenant = nested.tenant and mine(s.tenant)))`,
    'mine(text)',
  ],
  ['immutable', 'fixed(tenant)', undefined],
  ['claims', `tenant = current_setting('app.tenant', true)::json ->> 'sub'`, 'a cast to JSON'],
  ['claim', `tenant = (select current_setting('app.tenant', true)::jsonb ->> 'sub')`, undefined],
  ['braces', `tenant = '{FUNCEXPR' or (select auth() = '}') or mine(tenant)`, 'mine(text)'],
] as const;

/** Roles for whom policies do not hold, and views that read with the rights of such. */
const SQL = `${TENANTS_SQL}
create role stranger nologin;
create role "all seeing" nologin superuser;
create role bypassing nologin bypassrls;
create role owner nologin;
create role heir nologin;
grant owner to heir;
grant bypassing, owner, heir, tenant to login;
grant select on all tables in schema public to bypassing;
create table owned (id int primary key, tenant text not null);
alter table owned owner to owner;
alter table owned enable row level security;
create table forced (id int primary key, tenant text not null);
alter table forced owner to owner;
alter table forced enable row level security;
alter table forced force row level security;
create view of_superuser as select * from orders;
create view of_owner as select * from owned;
alter view of_owner owner to owner;
create view of_view as select * from of_superuser;
create view as_caller with (security_invoker = true) as select * from orders;
create view of_open as select * from open;
grant select on owned, forced, of_superuser, of_owner, of_view, as_caller, of_open to tenant;
grant select on owned, forced to owner;
create table private (id int primary key, tenant text not null);
create function auth() returns text stable language sql as $$ select current_setting('app.tenant', true) $$;
create function mine(text) returns boolean stable language plpgsql as $$ begin return $1 = auth(); end $$;
create function fixed(text) returns boolean immutable language sql as $$ select true $$;
${POLICIES.map(
  ([name, expression]) => `
create table ${name} (id int primary key, tenant text not null);
alter table ${name} enable row level security;
create policy p on ${name} using (${expression});
create policy "of others" on ${name} to owner using (mine(tenant));
create policy "of writers" on ${name} for insert with check (mine(tenant));
grant select on ${name} to tenant;`,
).join('')}
create role untidy login noinherit;
grant tenant to untidy;
grant select on orders, open to untidy;`;

const ASKED = { role: 'tenant', settings: ['app.tenant'], trusts: [], needsAll: true };

const refusal = (problem: string, remedy: string): SessionProblem[] => [
  { problem, remedy, kind: 'refusal' },
];

describe('the role of callers', () => {
  const postgres = usePostgres(SQL);
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(urlOf(postgres(), 'login'), TENANT_SESSIONS);
  });

  const problemsOf = (names: readonly string[], asked: Partial<AskedSession> = {}) =>
    engine.sessionProblems({
      ...ASKED,
      relations: names.map((name) => ['public', name]),
      ...asked,
    });

  it.each([
    [
      'no "such" role',
      'The database has no role "no ""such"" role".',
      'Make it: `create role "no ""such"" role" nologin; grant "no ""such"" role" to "login"`.',
    ],
    [
      'stranger',
      'The login "login" may not read as "stranger".',
      'Run `grant "stranger" to "login"`.',
    ],
    [
      'all seeing',
      '"all seeing" is a superuser and sees all rows.',
      'Name a role that is no superuser and has no BYPASSRLS.',
    ],
    [
      'bypassing',
      '"bypassing" has BYPASSRLS and sees all rows.',
      'Name a role that is no superuser and has no BYPASSRLS.',
    ],
  ])('is not %s', async (role, problem, remedy) => {
    expect(await problemsOf(['orders'], { role })).toEqual(refusal(problem, remedy));
  });

  it.each(['owner', 'heir'])('is not the %s of a table whose policies spare it', async (role) => {
    expect(await problemsOf(['forced'], { role })).toEqual([]);
    expect(await problemsOf(['forced', 'owned'], { role })).toEqual(
      refusal(
        'It has the rights of the owner of owned, for whom policies do not hold.',
        'Run `alter table owned force row level security`, or name another role.',
      ),
    );
  });

  it.each([
    ['of_superuser', 'of_superuser'],
    ['of_owner', 'of_owner'],
    ['of_view', 'of_superuser'],
  ])('does not read %s, in which a view shows what policies hide', async (name, view) => {
    expect(await problemsOf([name])).toEqual(
      refusal(
        `The view ${view} shows it rows that policies hide: it reads with the rights of its owner.`,
        `Run \`alter view ${view} set (security_invoker = true)\` (PostgreSQL 15), or give the ` +
          'view an owner for whom the policies hold.',
      ),
    );
  });

  it.each(['orders', 'shared', 'owned', 'forced', 'as_caller', 'of_open'])(
    'reads %s, in which policies hold or are none',
    async (name) => {
      expect(await problemsOf([name])).toEqual([]);
    },
  );

  it('may read what it has to', async () => {
    const found = refusal(
      '"tenant" may not read "public"."private".',
      'Run `grant select on "public"."private" to "tenant"`, and grant it usage on their schemas.',
    );
    expect(await problemsOf(['orders', 'private'])).toEqual(found);
    expect(await problemsOf(['private'], { needsAll: false })).toEqual(found);
    expect(await problemsOf(['orders', 'private'], { needsAll: false })).toEqual([]);
    expect(await problemsOf([])).toEqual([]);
  });

  it.each(['dynamic_query.caller', 'plpgsql.extra_errors', 'PLPGSQL.x'])(
    'has no setting that is named %s',
    async (setting) => {
      expect(await problemsOf(['orders'], { settings: ['app.tenant', setting] })).toEqual([
        expect.objectContaining({ setting, kind: 'refusal' }),
      ]);
    },
  );

  it.each(POLICIES)('shows what a policy evaluates for each row: %s, %s', async (name, _, slow) => {
    const problem = `The policy p of ${name} evaluates ${slow} for each row.`;
    const remedy = 'Write `(select …)` around what is the same for all rows.';
    expect(await problemsOf([name])).toEqual(
      slow === undefined ? [] : [{ problem, remedy, kind: 'hint' }],
    );
  });

  it('warns of a login that may itself read what policies hide', async () => {
    engine = await open(urlOf(postgres(), 'untidy'), TENANT_SESSIONS);
    expect(await problemsOf(['orders', 'shared', 'open'])).toEqual([
      {
        problem: 'The login "untidy" may read "public"."orders" by itself.',
        remedy: 'Give the service a login that is NOINHERIT and has no rights of its own.',
        kind: 'warning',
      },
    ]);
  });
});
