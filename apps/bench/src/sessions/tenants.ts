import type { BenchDatabase } from '../databases/open.ts';

/** So many tenants have as many rows together as the first one has alone. */
export const SMALL_TENANTS = 200;

/** The role of the database as which callers read, and the login that may take it. */
export const CALLER_ROLE = 'caller';
export const LOGIN = 'app';

/** A table whose policy decides what a tenant sees. */
export interface PolicedTable {
  readonly name: string;
  /** What the policy is, for readers. */
  readonly label: string;
  readonly policy: string;
}

export const POLICED_TABLES: readonly PolicedTable[] = [
  {
    name: 'orders',
    label: 'policy by a setting',
    policy: `tenant = current_setting('app.tenant', true)`,
  },
  {
    name: 'documents',
    label: 'policy by memberships of auth.uid()',
    policy: 'tenant in (select tenant from memberships where member = (select auth.uid()))',
  },
];

/** The tokens of all tenants and what they say; the first one has the long list. */
export const TENANTS = Array.from({ length: 1 + SMALL_TENANTS }, (_, number) => {
  const digits = String(number).padStart(12, '0');
  return {
    token: `bench-bench-bench-tenant-${digits}`,
    claims: { tenant: `t${number}`, sub: `00000000-0000-4000-8000-${digits}` },
  };
});

/**
 * Makes the tables, in which the rows of tenants lie among each other, and the rights on them.
 *
 * @param rows so many has the first tenant, and so many have the others together
 */
export async function createTenants(
  database: Pick<BenchDatabase, 'run'>,
  rows: number,
): Promise<void> {
  for (const statement of [
    ...IDENTITY,
    ...POLICED_TABLES.flatMap((table) => creation(table, rows)),
    'vacuum analyze',
    'checkpoint',
  ])
    await database.run(statement);
}

/** `auth.uid()` is that of Supabase. */
const IDENTITY = [
  `create role ${LOGIN} login noinherit`,
  `create role ${CALLER_ROLE} nologin`,
  `grant ${CALLER_ROLE} to ${LOGIN}`,
  'create schema auth',
  `grant usage on schema auth to ${CALLER_ROLE}`,
  `create function auth.uid() returns uuid stable language sql as $$
    select coalesce(
      nullif(current_setting('request.jwt.claim.sub', true), ''),
      nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
    )::uuid
  $$`,
  'create table memberships (member uuid, tenant text, primary key (member, tenant))',
  `insert into memberships
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 't' || n
    from generate_series(0, ${SMALL_TENANTS}) as n`,
  'alter table memberships enable row level security',
  'create policy own on memberships for select using (member = (select auth.uid()))',
  `grant select on memberships to ${CALLER_ROLE}`,
];

function creation({ name, policy }: PolicedTable, rows: number): string[] {
  const tenant = `'t' || case n % 2 when 0 then 0 else 1 + n / 2 % ${SMALL_TENANTS} end`;
  return [
    `create table ${name} (id bigint not null, tenant text not null, ` +
      'created_at timestamp not null, name text not null, amount numeric(12, 2) not null, ' +
      'flag boolean not null)',
    `insert into ${name}
      select n, ${tenant}, timestamp '2020-01-01' + n * interval '1 second', 'item ' || n,
        (n * 7919 % 1000000) / 100.0, n % 3 = 0
      from generate_series(0::bigint, ${2 * rows - 1}) as n`,
    `alter table ${name} add primary key (id)`,
    `create index on ${name} (tenant, id)`,
    `alter table ${name} enable row level security`,
    `create policy tenants on ${name} for select using (${policy})`,
    `grant select on ${name} to ${CALLER_ROLE}`,
  ];
}
