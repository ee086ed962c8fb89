import { oneLine } from '@proj/engine/database';

/** In a heap of this server, access method 2; or partitioned, without rows of its own. */
export const IS_ORDINARY = `c.relkind in ('r', 'p', 'm') and c.relam in (0, 2)`;

export const IS_PLAIN = `${IS_ORDINARY} and not c.relrowsecurity`;

/** Citus reads tables from other servers. Its library is loaded at server start or never. */
export const WITHOUT_CITUS = `current_setting('citus.shard_count', true) is null`;

/** Whether a relation, SQL of its number, is plain, and shows no rows of others. */
export function isPlain(id: string): string {
  return `(select ${IS_PLAIN} and not c.relhassubclass from pg_class c where c.oid = ${id})`;
}

/** Whether a relation, and all others whose rows it shows, meet a condition on `c`. */
export function allMembersAre(id: string, condition: string): string {
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

export const RELATION_RULE = `pg_class c
left join pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN'`;

/** What each view `c` reads, as rows `d` of pg_depend. */
export const READS_OF_VIEWS = `pg_class c
join pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN' and c.relkind = 'v'
join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
  and d.refclassid = 'pg_class'::regclass`;

/**
 * What must stay the same for a version of `c`'s rows. Changed rules and policies are new rows.
 * @param isPoliced SQL: whether policies decide which rows are shown
 */
export function relationState(isPoliced: string): string {
  return `concat_ws(
  ' ', c.oid, c.relkind, ${isPoliced}, c.relhassubclass, c.relam, r.oid, r.xmin, (
    select string_agg(concat_ws('/', p.oid, p.xmin), ';' order by p.oid)
    from pg_policy p
    where p.polrelid = c.oid
  )
)`;
}

export const RELATION_STATE: string = relationState('c.relrowsecurity');

/** A function `f`'s number and row, which changes with it. */
export const FUNCTION_STATE = `concat_ws(' ', f.oid, f.xmin)`;

/** SQL: states of functions as one text; empty for none. */
export function functionStates(ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  return [
    `(select string_agg(${FUNCTION_STATE}, ',' order by f.oid) from pg_proc f ` +
      `where f.oid in (${ids.join(', ')}))`,
  ];
}

export function inOrder(states: readonly string[]): string[] {
  return [...new Set(states)].toSorted((a, b) => numberOf(a) - numberOf(b));
}

export function numbersOf(states: readonly string[]): string {
  return states.map(numberOf).join(', ');
}

function numberOf(state: string): number {
  return Number.parseInt(state, 10);
}

/** A table emptied or rewritten between snapshot and lock has another file than in the snapshot. */
export const HAS_READ_EMPTIED: string = oneLine(`
  select exists (
    select
    from pg_locks l
    join pg_class c on c.oid = l.relation
    where l.pid = pg_backend_pid()
      and c.relkind in ('r', 'm')
      and c.relfilenode not in (0, pg_relation_filenode(c.oid))
  )::text
`);
