import { oneLine } from '@proj/engine/database';

import { textLiteral } from '../values/sql-text.ts';
import { INSTANCE } from './version.ts';

export const HAS_CITUS = `to_regclass('pg_catalog.pg_dist_partition') is not null`;

/**
 * SQL: whether a row `d` of `pg_dist_partition` is on several servers, or on another. Tables that
 * are whole on each server, or only known to Citus, are read here.
 */
export const IS_DISTRIBUTED = `(d.partmethod <> 'n' or (d.repmodel = 's' and d.colocationid <> 0))`;

/** SQL: the numbers of those tables, as one text. */
export const DISTRIBUTED_TABLES = `(
  select coalesce(string_agg(d.logicalrelid::oid::text, ',' order by d.logicalrelid::oid), '')
  from pg_catalog.pg_dist_partition d
  where ${IS_DISTRIBUTED}
)`;

/** SQL: the servers that may have rows of tables, as one text. */
export const CLUSTER_SERVERS = `(
  select coalesce(string_agg(
    concat_ws(' ', n.groupid, n.nodename, n.nodeport), ',' order by n.groupid, n.nodeid
  ), '')
  from pg_catalog.pg_dist_node n
  where n.noderole = 'primary'
)`;

/** What Citus plans by. A moved shard has another placement, also for older transactions. */
export const CLUSTER_STATE: string = oneLine(`concat_ws(
  '|', ${DISTRIBUTED_TABLES}, ${CLUSTER_SERVERS}, (
    select concat_ws(' ', count(*), max(p.placementid), max(p.xmin::text::bigint))
    from pg_catalog.pg_dist_placement p
  )
)`);

/** SQL: {@link INSTANCE} of each server that the cluster reaches, as JSON by group. */
export const CLUSTER_INSTANCES: string = oneLine(`(
  select json_object_agg(n.groupid, r.result)::text
  from pg_catalog.run_command_on_all_nodes($$select ${INSTANCE}$$) r
  join pg_catalog.pg_dist_node n using (nodeid)
  where n.noderole = 'primary' and r.success
)`);

/** Equal only while no transaction begins to write or ends. */
export const SERVER_STATE: string = oneLine(`concat_ws(' ', ${INSTANCE}, pg_current_snapshot())`);

/** Quoted by errors of statements whose snapshot is of another state. */
export const OTHER_STATE = 'dynamic_query.state';

/** SQL that fails in other states. Without columns, so each server checks it first. */
export function demandState(states: readonly string[]): string {
  const isOne = `${SERVER_STATE} in (${states.map(textLiteral).join(', ')})`;
  return `(case when ${isOne} then 'true' else '${OTHER_STATE}' end)::bool`;
}

/** Transactions `x` that Citus has prepared on a server. */
const PREPARED_BY_CITUS = `from pg_catalog.pg_prepared_xacts x
  where x.gid like 'citus\\_%' and x.database = current_database()`;

const MOST_NAMED = 3;

function namesOf(prepared: string): string {
  const oldest = `select x.gid ${prepared} order by x.prepared limit ${MOST_NAMED}`;
  return oneLine(`(select string_agg(o.gid, ', ') from (${oldest}) o)`);
}

/** SQL: those transactions, or NULL; another server may have committed its part. */
export const PREPARED: string = namesOf(PREPARED_BY_CITUS);

/** Those of them prepared for longer than a commit takes. */
export const LEFT_PREPARED: string = namesOf(
  `${PREPARED_BY_CITUS} and x.prepared < clock_timestamp() - interval '5 s'`,
);

/** One connection to each server: a transaction's statements see one snapshot of each. */
export const ONE_CONNECTION = `set local citus.max_adaptive_executor_pool_size = 1`;

/** Written to by each distributed transaction before any part is prepared. */
export const TRANSACTION_RECORDS = 'pg_catalog.pg_dist_transaction';

/** One of these rights is enough to lock those records. */
export const LOCKING_RIGHTS = 'UPDATE, DELETE, TRUNCATE';
