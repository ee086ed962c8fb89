import { oneLine } from '@proj/engine/database';

/**
 * A table `c` keeps its rows in a heap of this server, which is the access method of the number 2.
 * A partitioned table has no rows of its own.
 */
export const IS_ORDINARY = `c.relkind in ('r', 'p', 'm') and c.relam in (0, 2)`;

/** The same of one that shows its rows to everybody alike. */
const IS_PLAIN = `${IS_ORDINARY} and not c.relrowsecurity`;

/**
 * Citus reads tables from other servers. Its library is loaded when a server starts, or not at all.
 */
export const WITHOUT_CITUS = `current_setting('citus.shard_count', true) is null`;

/**
 * Whether a relation is plain, and shows no rows of others.
 *
 * @param id its number, as SQL
 */
export function isPlain(id: string): string {
  return `(select ${IS_PLAIN} and not c.relhassubclass from pg_class c where c.oid = ${id})`;
}

/** Whether a relation is plain, and all others whose rows it shows are. */
export function isPlainWithMembers(id: string): string {
  return withMembers(id, IS_PLAIN);
}

/**
 * The same where policies hold for some of them: those of the relation that is read decide, and not
 * those of the others.
 */
export function isOrdinaryWithMembers(id: string): string {
  return withMembers(id, IS_ORDINARY);
}

function withMembers(id: string, condition: string): string {
  return oneLine(`not exists (
    with recursive members (id) as (
      select ${id}::oid
      union
      select i.inhrelid
      from members m
      join pg_inherits i on i.inhparent = m.id
    )
    select
    from members m
    join pg_class c on c.oid = m.id
    where not (${condition})
  )`);
}
