import type { Statement } from '@proj/engine/database';

import type { Row } from './connection/connection.ts';
import type { ServerFinding } from './connection/server-proof.ts';

/** Includes settings that let sessions read damaged pages or altered row types silently. */
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
  )::text,
  (
    select string_agg(format('%s is %s', name, setting), ', ' order by name)
    from pg_settings
    where (name in ('ignore_checksum_failure', 'zero_damaged_pages') and setting = 'on')
      or (name = 'composite_type_mismatch' and setting <> 'error')
  )`,
};

/** Sessions are read-only, but without the right to write nothing depends on that. */
export function roleWarnings(row: Row): string[] {
  const [, , , careless] = row;
  if (typeof careless !== 'string') return rightsWarnings(row);
  return [
    ...rightsWarnings(row),
    `Replies may silently lack rows or hold wrong values: ${careless}. ` +
      'Give the role of the service what PostgreSQL has by default.',
  ];
}

function rightsWarnings([role, isSuperuser, writable]: Row): string[] {
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

export function serverWarnings(
  { name, gap, isCitus }: ServerFinding,
  spread: readonly string[],
): string[] {
  if (gap === undefined) return spread.length === 0 ? [] : [spreadWarning(spread)];
  if (isCitus)
    return [
      'The database has Citus: only of tables that it distributes are snapshots relied on, those ' +
        `of all servers. Of other tables this holds: ${OTHERWISE}.`,
    ];
  return [
    `The server calls itself ${name}, but its snapshots are not relied on: ${gap}. ` +
      `${LOSS}, and \`follow\` and \`replicas\` have no effect.`,
  ];
}

const LOSS =
  'Each page is read in one statement, totals and deep pages are read anew for each request';

const OTHERWISE =
  'each page is read in one statement, totals and deep pages are read anew for each request, and ' +
  '`follow` and `replicas` have no effect';

const MOST_NAMED = 5;

function spreadWarning(spread: readonly string[]): string {
  const named = spread.slice(0, MOST_NAMED).join(', ');
  const more = spread.length > MOST_NAMED ? ` and ${spread.length - MOST_NAMED} more` : '';
  return (
    'What is before the server leads statements of one transaction to several servers: those ' +
    `that read ${named}${more} are answered elsewhere. ${LOSS} of these.`
  );
}
