import type { Statement } from '../../sql/statement.ts';
import type { Row } from './connection.ts';

/** Who the role is, whether it rules the server, and how many tables it could write to. */
export const ROLE: Statement = {
  parameters: [],
  sql: `
select
  current_user,
  (select rolsuper from pg_roles where rolname = current_user)::text,
  (
    select count(*)
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'f')
      and n.nspname <> 'information_schema'
      and n.nspname !~ '^pg_'
      and (
        has_table_privilege(c.oid, 'insert')
        or has_table_privilege(c.oid, 'update')
        or has_table_privilege(c.oid, 'delete')
        or has_table_privilege(c.oid, 'truncate')
      )
  )::text`,
};

/**
 * What an operator should know of the role: sessions are read-only, and a right that is not there
 * is safer still.
 */
export function roleWarnings([role, isSuperuser, writable]: Row): string[] {
  if (isSuperuser === 'true')
    return [
      `The database role ${role} is a superuser. Give the service one that has ` +
        'SELECT on what it serves.',
    ];
  if (writable === '0') return [];
  return [
    `The database role ${role} may write to ${writable} tables. ` +
      'Give the service one that has SELECT only.',
  ];
}
