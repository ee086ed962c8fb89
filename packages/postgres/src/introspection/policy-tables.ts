import {
  Introspection,
  type Relation,
  type RelationPath,
  type SessionRole,
  type Statement,
} from '@proj/engine/database';

import type { Row } from '../connection/connection.ts';
import { READS_OF_VIEWS } from '../states/relation-state.ts';
import { textLiteral } from '../values/sql-text.ts';

/**
 * As one JSON text: what policies of each relation, or of tables below a view, read besides it, and
 * which of it a role may lock. The catalogue does not know what functions written as text refer to.
 */
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
