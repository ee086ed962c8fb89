import type { SessionRole, Statement } from '@proj/engine/database';

import type { Row } from '../connection/connection.ts';
import { FUNCTION_STATE } from '../states/relation-state.ts';
import { memberships, roleState } from '../states/role-state.ts';
import { textLiteral } from '../values/sql-text.ts';

/**
 * Whether a policy `p` has part in what a role reads.
 *
 * @param role the number of the role, as SQL
 */
export function appliesTo(role: string): string {
  return `(
    p.polcmd in ('r', '*')
    and (
      0 = any (p.polroles)
      or exists (
        select from unnest(p.polroles) as r where r <> 0 and pg_has_role(${role}, r, 'usage')
      )
    )
  )`;
}

/**
 * Whether the transaction that wrote a row of the catalogue is over for everybody: others see what
 * it wrote before they hear that they have to look it up again, and its locks end after that.
 */
function isSettled(xmin: string): string {
  return `not exists (
    select from pg_locks l where l.locktype = 'transactionid' and l.transactionid = ${xmin}
  )`;
}

/**
 * The roles that callers read as, the policies that have part in what they read, and the functions
 * that policies call and that are not built in, as one JSON text.
 */
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
    join asked a on ${appliesTo('a.oid')}
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

/** A policy that has part in what a role reads. */
export interface PolicyFacts {
  readonly role: string;
  /** The number of its table. */
  readonly table: string;
  readonly name: string;
  /** Empty for a policy that shows nothing by itself. */
  readonly expression: string;
}

/** A function that is not built in. */
export interface FunctionFacts {
  readonly id: string;
  readonly state: string;
  readonly schema: string;
  /** Its name with the types of its parameters. */
  readonly call: string;
  /** As PostgreSQL has read it; null where it is a text, which nobody has read yet. */
  readonly body: string | null;
  /** Whether what it gives may depend on more than its body, or another role reads in it. */
  readonly opaque: boolean;
  readonly settled: boolean;
}

/** What {@link policyFacts} finds. */
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

/** What holds for all callers who read as one role. */
export interface CallerRules {
  readonly role: Policing['roles'][number];
  /** The names of settings that each of their sessions has, in lower case. */
  readonly settings: ReadonlySet<string>;
  policiesOf(table: string): readonly PolicyFacts[];
  /** Undefined for a function that is built in. */
  functionOf(id: string): FunctionFacts | undefined;
  /** Whether the operator says of a function that its result depends on nothing else. */
  trusts(called: FunctionFacts): boolean;
}

/** The rules of each role that callers read as. */
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
      // What is read of a model is kept for the role, whatever brought callers to it.
      trusts: (called) => own.every(({ trusts }) => trusts.some((name) => isNameOf(name, called))),
    };
  });
}

/** Whether a name such as `auth.uid()` is that of a function, which is in `public` by default. */
function isNameOf(name: string, { schema, call }: FunctionFacts): boolean {
  const plain = name.replaceAll(/["\s]/g, '');
  const bare = call.replaceAll(/\s/g, '');
  return plain === `${schema}.${bare}` || (schema === 'public' && plain === bare);
}
