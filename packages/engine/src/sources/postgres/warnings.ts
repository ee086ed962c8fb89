import type { Statement } from '../../sql/statement.ts';
import type { Row } from './connection.ts';

/** The name of the role, whether it is a superuser, and how many tables it can write to. */
export const ROLE_QUERY: Statement = {
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
 * What an operator should know of the role. Sessions are read-only, but without the right to write
 * nothing depends on that.
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
