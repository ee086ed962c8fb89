import type { AskedSession, RelationPath, SessionProblem, Statement } from '@proj/engine/database';

import type { Row } from '../connection/connection.ts';
import { READS_AS_INVOKER } from './view-facts.ts';
import { APPLIES } from './policy-facts.ts';
import { rowCalls } from './view-rule.ts';
import { READS_OF_VIEWS } from '../states/relation-state.ts';
import { quoted, quotedPath } from '../values/sql-text.ts';

/** As one JSON text: a role, and how it reads relations. Views read as their owners by default. */
export function sessionFacts({ role, settings, relations }: AskedSession): Statement {
  return {
    parameters: [role, JSON.stringify(relations), JSON.stringify(settings)],
    sql: `
with recursive asked as (
  select * from pg_roles where rolname = $1
), served as (
  select c.oid as id, n.oid as schema, n.nspname, c.relname
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where (n.nspname, c.relname) in (
    select path ->> 0, path ->> 1 from json_array_elements($2::json) as path
  )
), reads (served, id, reader, through) as (
  select s.id, s.id, a.oid, null::oid
  from served s
  cross join asked a
  union
  select
    s.served,
    d.refobjid,
    case
      when ${READS_AS_INVOKER}
      then s.reader
      else c.relowner
    end,
    c.oid
  from reads s
  join (${READS_OF_VIEWS}) on c.oid = s.id
  where d.refobjid <> c.oid
), policed as (
  select r.*, c.relforcerowsecurity as forced, c.relowner
  from reads r
  join pg_class c on c.oid = r.id
  where c.relrowsecurity
), applied as (
  select p.*
  from pg_policy p
  cross join asked a
  where ${APPLIES}
    and p.polrelid in (select id from policed where reader = a.oid)
)
select json_build_object(
  'login', session_user,
  'role', (
    select json_build_object(
      'superuser', rolsuper,
      'bypasses', rolbypassrls,
      'settable', pg_has_role(
        session_user,
        oid,
        case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end
      )
    )
    from asked
  ),
  'reserved', (
    select coalesce(json_agg(name), '[]')
    from json_array_elements_text($3::json) as name
    where lower(split_part(name, '.', 1)) in (
      values ('dynamic_query'), ('plpgsql')
      union
      select split_part(s.name, '.', 1) from pg_settings s where s.name like '%.%'
    )
  ),
  'relations', (
    select coalesce(json_agg(json_build_object(
      'path', json_build_array(s.nspname, s.relname),
      'readable', has_schema_privilege(a.oid, s.schema, 'usage')
        and has_any_column_privilege(a.oid, s.id, 'select'),
      'byLogin', has_schema_privilege(session_user, s.schema, 'usage')
        and has_any_column_privilege(session_user, s.id, 'select')
        and exists (select from policed p where p.served = s.id),
      'owned', (
        select p.id::regclass::text
        from policed p
        where p.served = s.id
          and p.reader = a.oid
          and not p.forced
          and pg_has_role(a.oid, p.relowner, 'usage')
        limit 1
      ),
      'through', (
        select p.through::regclass::text
        from policed p
        join pg_roles o on o.oid = p.reader
        where p.served = s.id
          and p.reader <> a.oid
          and (
            o.rolsuper
            or o.rolbypassrls
            or not p.forced and pg_has_role(o.oid, p.relowner, 'usage')
          )
        limit 1
      )
    ) order by s.nspname, s.relname), '[]')
    from served s
    cross join asked a
  ),
  'policies', (
    select coalesce(json_agg(json_build_object(
      'name', p.polname,
      'table', p.polrelid::regclass::text,
      'expression', p.polqual::text
    ) order by p.polrelid::regclass::text, p.polname), '[]')
    from applied p
  ),
  'functions', (
    select coalesce(json_object_agg(f.oid::text, f.oid::regprocedure::text), '{}')
    from pg_proc f
    where f.provolatile <> 'i'
      and exists (
        select
        from applied p
        join pg_depend d on d.classid = 'pg_policy'::regclass and d.objid = p.oid
        where d.refclassid = 'pg_proc'::regclass and d.refobjid = f.oid
      )
  )
)::text`,
  };
}

interface ReadRelation {
  readonly path: RelationPath;
  readonly readable: boolean;
  /** Whether the login may read it by itself, though policies are meant to hide rows. */
  readonly byLogin: boolean;
  /** A table whose owner's rights, which the role has, bypass policies. */
  readonly owned: string | null;
  /** A view that reads as somebody who bypasses policies. */
  readonly through: string | null;
}

interface Policy {
  readonly name: string;
  readonly table: string;
  /** Null for a policy that shows nothing by itself. */
  readonly expression: string | null;
}

interface SessionFacts {
  readonly login: string;
  readonly role: {
    readonly superuser: boolean;
    readonly bypasses: boolean;
    readonly settable: boolean;
  } | null;
  readonly reserved: readonly string[];
  readonly relations: readonly ReadRelation[];
  readonly policies: readonly Policy[];
  /** Functions of policies that are not IMMUTABLE, with parameters, by number. */
  readonly functions: Readonly<Record<string, string>>;
}

export function sessionProblems(asked: AskedSession, [text]: Row): SessionProblem[] {
  const facts = JSON.parse(text ?? '{}') as SessionFacts;
  const { reserved, relations } = facts;
  const ofRole = roleProblem(asked.role, facts);
  return [
    ...reserved.map((setting) => ({ setting, ...RESERVED })),
    ...(ofRole === undefined ? relations.flatMap(unhiddenProblems) : [ofRole]),
    ...(ofRole === undefined ? unreadableProblems(asked, relations) : []),
    ...loginWarnings(facts),
    ...facts.policies.flatMap((policy) => slowHints(policy, facts)),
  ];
}

const RESERVED = refusal(
  'Settings with this prefix belong to the service, or to an extension of the database.',
  'Choose another name, such as `app.tenant`.',
);

const ORDINARY = 'Name a role that is no superuser and has no BYPASSRLS.';

function roleProblem(name: string, { role, login }: SessionFacts): SessionProblem | undefined {
  const id = quoted(name);
  const granted = `grant ${id} to ${quoted(login)}`;
  if (role === null)
    return refusal(
      `The database has no role ${id}.`,
      `Make it: \`create role ${id} nologin; ${granted}\`.`,
    );
  if (role.superuser) return refusal(`${id} is a superuser and sees all rows.`, ORDINARY);
  if (role.bypasses) return refusal(`${id} has BYPASSRLS and sees all rows.`, ORDINARY);
  if (!role.settable)
    return refusal(`The login ${quoted(login)} may not read as ${id}.`, `Run \`${granted}\`.`);
  return undefined;
}

function unhiddenProblems({ readable, owned, through }: ReadRelation): SessionProblem[] {
  const problems: SessionProblem[] = [];
  if (readable && owned !== null)
    problems.push(
      refusal(
        `It has the rights of the owner of ${owned}, for whom policies do not hold.`,
        `Run \`alter table ${owned} force row level security\`, or name another role.`,
      ),
    );
  if (readable && through !== null)
    problems.push(
      refusal(
        `The view ${through} shows it rows that policies hide: it reads with the rights of its ` +
          'owner.',
        `Run \`alter view ${through} set (security_invoker = true)\` (PostgreSQL 15), or give ` +
          'the view an owner for whom the policies hold.',
      ),
    );
  return problems;
}

function unreadableProblems(
  { role, relations: asked, needsAll }: AskedSession,
  relations: readonly ReadRelation[],
): SessionProblem[] {
  const unreadable = relations
    .filter(({ readable }) => !readable)
    .map(({ path }) => quotedPath(path));
  const isEnough = needsAll ? unreadable.length === 0 : unreadable.length < relations.length;
  if (isEnough || asked.length === 0) return [];
  const names = unreadable.join(', ');
  return [
    refusal(
      `${quoted(role)} may not read ${names}.`,
      `Run \`grant select on ${names} to ${quoted(role)}\`, and grant it usage on their schemas.`,
    ),
  ];
}

/** A read that has lost its role must find nothing. */
function loginWarnings({ login, relations }: SessionFacts): SessionProblem[] {
  const names = relations.filter(({ byLogin }) => byLogin).map(({ path }) => quotedPath(path));
  if (names.length === 0) return [];
  return [
    {
      problem: `The login ${quoted(login)} may read ${names.join(', ')} by itself.`,
      remedy: 'Give the service a login that is NOINHERIT and has no rights of its own.',
      kind: 'warning',
    },
  ];
}

function slowHints(
  { name, table, expression }: Policy,
  { functions }: SessionFacts,
): SessionProblem[] {
  const calls = rowCalls(expression ?? '');
  const slow = [
    ...calls.functions.flatMap((id) => functions[id] ?? []),
    ...(calls.readsJson ? ['a cast to JSON'] : []),
  ];
  if (slow.length === 0) return [];
  return [
    {
      problem: `The policy ${name} of ${table} evaluates ${slow.join(', ')} for each row.`,
      remedy: 'Write `(select …)` around what is the same for all rows.',
      kind: 'hint',
    },
  ];
}

function refusal(problem: string, remedy: string): SessionProblem {
  return { problem, remedy, kind: 'refusal' };
}
