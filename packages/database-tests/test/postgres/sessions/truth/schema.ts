import type { EngineSettings } from '@proj/engine';

import { FIRST_WORLD, MODELS, type Rules } from './world.ts';

const IS_OWN = `tenant = current_setting('app.tenant', true)`;

/** What makes the policy of `orders` each of what it may be. */
export const ORDERS_RULES: Readonly<Record<Rules['orders'], string>> = {
  own: `alter table orders enable row level security; drop policy if exists own on orders;
    create policy own on orders to tenant using (${IS_OWN})`,
  low: `alter table orders enable row level security; drop policy if exists own on orders;
    create policy own on orders to tenant using (${IS_OWN});
    alter policy own on orders using (${IS_OWN} and level < 2)`,
  none: 'alter table orders enable row level security; drop policy if exists own on orders',
  off: 'alter table orders disable row level security',
};

/** The bodies of a function that returns a level, in every language that policies are written in. */
export const GRADE_BODIES = {
  quoted: (level: number) => `language sql as $$ select ${level} $$`,
  parsed: (level: number) => `language sql return ${level}`,
  procedural: (level: number) => `language plpgsql as $$ begin return ${level}; end $$`,
};

/** Makes `grade()`, or replaces it. */
export function gradeSql(level: number, body: keyof typeof GRADE_BODIES): string {
  return `create or replace function grade() returns int stable ${GRADE_BODIES[body](level)}`;
}

const { rows, storedLevel, rules } = FIRST_WORLD;

/**
 * The roles of every database. Their login has no rights of its own; `auditor` has those that are
 * taken from `tenant` now and then.
 */
export const ROLES_SQL = `
create role login login noinherit;
create role tenant nologin;
create role auditor nologin;
create role clerk nologin;
grant tenant, auditor to login;`;

/** The tables of the first world, in a database that no other trial uses at the same time. */
export const WORLD_SQL = `
grant clerk to tenant;
create table memberships (member text, tenant text, primary key (member, tenant));
insert into memberships select 't' || n, 't' || n from generate_series(0, 3) as n;
create table levels (level int not null);
insert into levels values (${storedLevel});
create function stored_level() returns int stable language sql as $$ select level from levels $$;
${gradeSql(rules.grade, 'quoted')};
${MODELS.map(
  (model) => `
create table ${model} (id int primary key, tenant text not null, level int not null, n int not null);
insert into ${model} values ${[...rows[model].values()]
    .map(({ id, tenant, level, n }) => `(${id}, '${tenant}', ${level}, ${n})`)
    .join(', ')};
create index on ${model} (tenant, id);
${model === 'open' ? '' : `alter table ${model} enable row level security;`}`,
).join('')}
${ORDERS_RULES.own};
create policy members on shared to tenant using (
  exists (
    select from memberships m
    where m.tenant = shared.tenant and m.member = current_setting('app.tenant', true)
  )
);
create policy graded on graded to tenant using (level = (select grade()) and ${IS_OWN});
create policy stored on stored to tenant using (level = (select stored_level()) and ${IS_OWN});
create policy clerks on grouped to clerk using (${IS_OWN});
grant select on all tables in schema public to tenant, auditor;`;

/** The settings of an engine over it. */
export const WORLD_SETTINGS: Partial<EngineSettings> = {
  sessions: ['tenant', 'auditor'].map((role) => {
    return { role, settings: ['app.tenant'], trusts: ['grade()', 'stored_level()'] };
  }),
  acceleration: { pageIndexMinOffset: 20 },
};
