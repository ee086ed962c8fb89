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

/** The rule of a view, where `c` is one. */
export const RELATION_RULE = `pg_class c
left join pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN'`;

/** What each view `c` reads, as rows `d` of pg_depend. */
export const READS_OF_VIEWS = `pg_class c
join pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN' and c.relkind = 'v'
join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
  and d.refclassid = 'pg_class'::regclass`;

/**
 * What a relation `c` that is read, be it by a view or a policy, has to stay like for its rows to
 * have a version, beginning with its number: a view its rule `r`, a table a table of this server
 * that has no others below it, with the policies that it has. Rules and policies are written anew
 * when they change.
 *
 * @param isPoliced whether policies decide which rows are shown, as SQL
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

/** The same where policies hold for everybody whom the table has not as its owner. */
export const RELATION_STATE: string = relationState('c.relrowsecurity');

/** What a function `f` has to stay like, beginning with its number: it is written anew too. */
export const FUNCTION_STATE = `concat_ws(' ', f.oid, f.xmin)`;

/** The states of functions, as one text in SQL; nothing for none. */
export function functionStates(ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  return [
    `(select string_agg(${FUNCTION_STATE}, ',' order by f.oid) from pg_proc f ` +
      `where f.oid in (${ids.join(', ')}))`,
  ];
}

/** Each state once, in the order of their numbers. */
export function inOrder(states: readonly string[]): string[] {
  return [...new Set(states)].toSorted((a, b) => numberOf(a) - numberOf(b));
}

/** The numbers of what has these states. */
export function numbersOf(states: readonly string[]): string {
  return states.map(numberOf).join(', ');
}

function numberOf(state: string): number {
  return Number.parseInt(state, 10);
}

/**
 * Whether the transaction has read a table that was emptied, or written anew, between its snapshot
 * and the moment at which it locked it: such a table has another file than in the snapshot, which
 * finds no rows in it. What is locked stays as it is.
 */
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
