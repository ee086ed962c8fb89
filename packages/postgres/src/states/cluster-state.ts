import { oneLine } from '@proj/engine/database';

import { textLiteral } from '../values/sql-text.ts';
import { INSTANCE } from './version.ts';

/** Whether Citus has tables in which it keeps what it distributes, as SQL. */
export const HAS_CITUS = `to_regclass('pg_catalog.pg_dist_partition') is not null`;

/**
 * The condition for a row `d` of `pg_dist_partition` to be a table that lies on several servers, or
 * on another one. A table that is whole on each server is read on this one, and so is one that
 * Citus only knows: https://docs.citusdata.com/en/stable/develop/api_metadata.html#partition-table
 */
export const IS_DISTRIBUTED = `(d.partmethod <> 'n' or (d.repmodel = 's' and d.colocationid <> 0))`;

/** The numbers of those tables, as one text in SQL. */
export const DISTRIBUTED_TABLES = `(
  select coalesce(string_agg(d.logicalrelid::oid::text, ',' order by d.logicalrelid::oid), '')
  from pg_catalog.pg_dist_partition d
  where ${IS_DISTRIBUTED}
)`;

/** The servers of a Citus cluster that tables may have rows on, as one text in SQL. */
export const CLUSTER_SERVERS = `(
  select coalesce(string_agg(
    concat_ws(' ', n.groupid, n.nodename, n.nodeport), ',' order by n.groupid, n.nodeid
  ), '')
  from pg_catalog.pg_dist_node n
  where n.noderole = 'primary'
)`;

/**
 * What Citus plans statements by, as one text in SQL: the tables that are distributed, and where
 * their shards are. A shard that is moved gets another placement, and Citus goes by those of the
 * moment, also in a transaction that began before.
 */
export const CLUSTER_STATE: string = oneLine(`concat_ws(
  '|', ${DISTRIBUTED_TABLES}, ${CLUSTER_SERVERS}, (
    select concat_ws(' ', count(*), max(p.placementid), max(p.xmin::text::bigint))
    from pg_catalog.pg_dist_placement p
  )
)`);

/** What {@link INSTANCE} is on each server that the cluster reaches, as JSON by group in SQL. */
export const CLUSTER_INSTANCES: string = oneLine(`(
  select json_object_agg(n.groupid, r.result)::text
  from pg_catalog.run_command_on_all_nodes($$select ${INSTANCE}$$) r
  join pg_catalog.pg_dist_node n using (nodeid)
  where n.noderole = 'primary' and r.success
)`);

/** Which state a server has: equal only while no transaction begins to write or ends. */
export const SERVER_STATE: string = oneLine(`concat_ws(' ', ${INSTANCE}, pg_current_snapshot())`);

/** What the error of a statement quotes whose snapshot is of another state than it has to be. */
export const OTHER_STATE = 'dynamic_query.state';

/**
 * The condition for a snapshot to be of one of these states, as SQL that fails where it is not. It
 * has no columns, so that each server finds it out before it reads, for tables without rows too.
 */
export function demandState(states: readonly string[]): string {
  const isOne = `${SERVER_STATE} in (${states.map(textLiteral).join(', ')})`;
  return `(case when ${isOne} then 'true' else '${OTHER_STATE}' end)::bool`;
}

/** What Citus has prepared on a server, `x`. */
const PREPARED_BY_CITUS = `from pg_catalog.pg_prepared_xacts x
  where x.gid like 'citus\\_%' and x.database = current_database()`;

/** So many transactions are named at most. */
const MOST_NAMED = 3;

function namesOf(prepared: string): string {
  const oldest = `select x.gid ${prepared} order by x.prepared limit ${MOST_NAMED}`;
  return oneLine(`(select string_agg(o.gid, ', ') from (${oldest}) o)`);
}

/**
 * The transactions that Citus has prepared on a server, as SQL that is NULL where there are none:
 * another server may have committed its part of them.
 */
export const PREPARED: string = namesOf(PREPARED_BY_CITUS);

/** Those of them that are so for longer than a commit takes. */
export const LEFT_PREPARED: string = namesOf(
  `${PREPARED_BY_CITUS} and x.prepared < clock_timestamp() - interval '5 s'`,
);

/** Has one connection to each server: statements of a transaction see one snapshot of each. */
export const ONE_CONNECTION = `set local citus.max_adaptive_executor_pool_size = 1`;

/** What Citus writes to in each transaction of several servers, before it prepares any part. */
export const TRANSACTION_RECORDS = 'pg_catalog.pg_dist_transaction';

/** The rights of which one is needed to lock those records. */
export const LOCKING_RIGHTS = 'UPDATE, DELETE, TRUNCATE';
