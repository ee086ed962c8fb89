import { Grant } from '../../../../engine/src/catalogue/grant.ts';
import type { EngineSettings } from '../../../../engine/src/engine-settings.ts';

/** So many tenants have rows of their own. */
export const TENANTS = 8;

/** So many rows each of them has. */
export const ROWS = 50;

/**
 * Tables of several tenants: `orders` shows those of the tenant that a setting names, `shared` those
 * of the tenants that a member belongs to. The login has no rights of its own.
 */
export const TENANTS_SQL = `
create role login login noinherit;
create role tenant nologin;
create role pauper nologin;
grant tenant, pauper to login;
create table orders (id int primary key, tenant text not null, note text not null);
insert into orders
  select i, 't' || (i % ${TENANTS}), 'of t' || (i % ${TENANTS})
  from generate_series(1, ${TENANTS * ROWS}) as i;
create index on orders (tenant, id);
create table memberships (member text, tenant text, primary key (member, tenant));
insert into memberships
  select 'm' || i, 't' || i from generate_series(0, ${TENANTS - 1}) as i;
create table shared (id int primary key, tenant text not null);
insert into shared select id, tenant from orders;
create table open (id int primary key, name text not null);
insert into open select i, 'open ' || i from generate_series(1, 20) as i;
alter table orders enable row level security;
create policy own on orders for select to tenant
  using (tenant = current_setting('app.tenant', true));
alter table shared enable row level security;
create policy members on shared for select to tenant using (
  exists (
    select from memberships m
    where m.tenant = shared.tenant and m.member = current_setting('app.member', true)
  )
);
grant select on orders, shared, memberships, open to tenant;`;

/** The settings of an engine whose callers are tenants. */
export const TENANT_SESSIONS: Partial<EngineSettings> = {
  sessions: [{ role: 'tenant', settings: ['app.member', 'app.tenant'], trusts: [] }],
};

/** What the caller of a tenant may see: every model, as the database shows it to the tenant. */
export function tenantGrant(tenant: number): Grant {
  const settings = { 'app.member': `m${tenant}`, 'app.tenant': `t${tenant}` };
  return new Grant('all', { role: 'tenant', settings, trusts: [] });
}
