import {
  Introspection,
  type Relation,
  type RelationPath,
  type SessionRole,
  type Statement,
} from '@proj/engine/database';

import type { Row } from '../connection/connection.ts';
import { FUNCTION_STATE, READS_OF_VIEWS } from '../states/relation-state.ts';
import { memberships, roleState } from '../states/version.ts';
import { textLiteral } from '../values/sql-text.ts';

/** SQL: whether a policy `p` applies to a role `a`. */
export const APPLIES = `(
    p.polcmd in ('r', '*')
    and (
      0 = any (p.polroles)
      or exists (
        select from unnest(p.polroles) as r where r <> 0 and pg_has_role(a.oid, r, 'usage')
      )
    )
  )`;

/** Whether a catalogue row's transaction is over for everybody, locks and caches included. */
function isSettled(xmin: string): string {
  return `not exists (
    select from pg_locks l where l.locktype = 'transactionid' and l.transactionid = ${xmin}
  )`;
}

/** As one JSON text: callers' roles, their policies, and called functions that are not built in. */
export function policyFacts(sessions: readonly SessionRole[]): Statement {
  const names = sessions.map(({ role }) => textLiteral(role)).join(', ');
  return {
    parameters: [],
    sql: `
with recursive asked as (
  select oid, rolname from pg_roles where rolname in (${names})
), called (id) as (
  select d.refobjid
  from pg_depend d
  where d.classid = 'pg_policy'::regclass and d.refclassid = 'pg_proc'::regclass
  union
  select d.refobjid
  from called c
  join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = c.id
  where d.refclassid = 'pg_proc'::regclass
)
select json_build_object(
  'roles', (
    select coalesce(json_agg(json_build_object(
      'name', a.rolname,
      'state', ${roleState('a.rolname')},
      'settled', (${memberships('a.oid')}
        select coalesce(bool_and(${isSettled('h.since::xid')}), true) from held h
      )
    )), '[]')
    from asked a
  ),
  'policies', (
    select coalesce(json_agg(json_build_object(
      'role', a.rolname,
      'table', p.polrelid::text,
      'name', p.polname,
      'expression', coalesce(p.polqual::text, '')
    ) order by p.polname), '[]')
    from pg_policy p
    join asked a on ${APPLIES}
  ),
  'functions', (
    select coalesce(json_agg(json_build_object(
      'id', f.oid::text,
      'state', ${FUNCTION_STATE},
      'schema', n.nspname,
      'call', format('%s(%s)', f.proname, oidvectortypes(f.proargtypes)),
      'body', f.prosqlbody::text,
      'opaque', f.provolatile = 'v' or f.prosecdef or f.prokind <> 'f',
      'settled', ${isSettled('f.xmin')}
    )), '[]')
    from called c
    join pg_proc f on f.oid = c.id
    join pg_namespace n on n.oid = f.pronamespace
  )
)::text`,
  };
}

export interface PolicyFacts {
  readonly role: string;
  readonly table: string;
  readonly name: string;
  /** Empty for a policy that shows nothing by itself. */
  readonly expression: string;
}

export interface FunctionFacts {
  readonly id: string;
  readonly state: string;
  readonly schema: string;
  readonly call: string;
  /** Parsed by PostgreSQL; null for a text, which is parsed on each call. */
  readonly body: string | null;
  /** Whether its result may depend on more than its body, or another role reads in it. */
  readonly opaque: boolean;
  readonly settled: boolean;
}

export interface Policing {
  readonly roles: readonly {
    readonly name: string;
    readonly state: string;
    readonly settled: boolean;
  }[];
  readonly policies: readonly PolicyFacts[];
  readonly functions: readonly FunctionFacts[];
}

export function policingOf([text]: Row): Policing {
  return JSON.parse(text ?? '{}') as Policing;
}

export interface CallerRules {
  readonly role: Policing['roles'][number];
  /** Settings of all of their sessions, in lower case. */
  readonly settings: ReadonlySet<string>;
  policiesOf(table: string): readonly PolicyFacts[];
  /** Undefined for a function that is built in. */
  functionOf(id: string): FunctionFacts | undefined;
  /** Whether the operator vouches that its result depends on nothing else. */
  trusts(called: FunctionFacts): boolean;
}

export function callerRules(sessions: readonly SessionRole[], policing: Policing): CallerRules[] {
  const settings = new Set(
    sessions.flatMap((one) => one.settings.map((name) => name.toLowerCase())),
  );
  const functions = new Map(policing.functions.map((one) => [one.id, one]));
  return policing.roles.map((role) => {
    const own = sessions.filter((session) => session.role === role.name);
    const policies = Map.groupBy(
      policing.policies.filter((policy) => policy.role === role.name),
      ({ table }) => table,
    );
    return {
      role,
      settings,
      policiesOf: (table) => policies.get(table) ?? [],
      functionOf: (id) => functions.get(id),
      // Reads are kept by role, whatever brought callers to it.
      trusts: (called) => own.every(({ trusts }) => trusts.some((name) => isNameOf(name, called))),
    };
  });
}

/** Matches names such as `auth.uid()`; the default schema is `public`. */
function isNameOf(name: string, { schema, call }: FunctionFacts): boolean {
  const plain = name.replaceAll(/["\s]/g, '');
  const bare = call.replaceAll(/\s/g, '');
  return plain === `${schema}.${bare}` || (schema === 'public' && plain === bare);
}

/** The catalogue does not know what functions written as text refer to. */
export function policyTables(roles: readonly string[]): Statement {
  const names = roles.map((role) => textLiteral(role)).join(', ');
  return {
    parameters: [],
    sql: `
with recursive refers (id, other, by_policy) as (
  select p.polrelid, d.refobjid, true
  from pg_policy p
  join pg_depend d on d.classid = 'pg_policy'::regclass and d.objid = p.oid
  where d.refclassid = 'pg_class'::regclass
    and p.polcmd in ('r', '*')
  union
  select c.oid, d.refobjid, false
  from ${READS_OF_VIEWS}
), reads (id, other, by_policy) as (
  select id, other, by_policy from refers
  union
  select s.id, r.other, s.by_policy or r.by_policy
  from reads s
  join refers r on r.id = s.other
)
select coalesce(json_agg(distinct jsonb_build_object(
  'path', jsonb_build_array(n.nspname, c.relname),
  'role', a.rolname,
  'table', jsonb_build_array(m.nspname, o.relname),
  'lockable', o.relkind <> 'm'
    and has_schema_privilege(a.oid, m.oid, 'usage')
    and has_table_privilege(a.oid, o.oid, 'select')
)), '[]')::text
from reads s
join pg_class c on c.oid = s.id
join pg_namespace n on n.oid = c.relnamespace
join pg_class o on o.oid = s.other
join pg_namespace m on m.oid = o.relnamespace
join pg_roles a on a.rolname in (${names})
where s.by_policy
  and o.oid <> c.oid
  and o.relkind in ('r', 'p', 'm')`,
  };
}

interface PolicyTable {
  readonly path: RelationPath;
  readonly role: string;
  readonly table: RelationPath;
  readonly lockable: boolean;
}

export function withRoles(
  relations: readonly Relation[],
  sessions: readonly SessionRole[],
  [text]: Row,
): Relation[] {
  const found = JSON.parse(text ?? '[]') as readonly PolicyTable[];
  const names = [...new Set(sessions.map(({ role }) => role))];
  return Introspection.withFacts(relations, found, (relation, tables) => {
    const roles = names.map((name): NonNullable<Relation['roles']>[number] => {
      const own = tables.filter(({ role }) => role === name);
      const lockable = own.filter((one) => one.lockable);
      return {
        role: name,
        policyTables: lockable.map(({ table }) => table),
        ...(lockable.length < own.length && { readsUnlocked: true }),
      };
    });
    return { ...relation, roles };
  });
}
