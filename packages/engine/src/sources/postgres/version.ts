import type { Statement } from '../../sql/statement.ts';
import { sqlBlock } from '../sql-block.ts';

/**
 * Equal only if two statements saw the same committed data: which transactions a snapshot takes for
 * finished. A standby does not know those that run, and a statement there has no version.
 */
export const SNAPSHOT_VERSION = sqlBlock`
  case when not pg_is_in_recovery() then pg_current_snapshot()::text end`;

/**
 * Servers that only speak the protocol have snapshots and locks of their own kind: there each page
 * is one statement.
 */
export const HAS_SNAPSHOTS: Statement = {
  parameters: [],
  sql: `
select (
  to_regprocedure('pg_catalog.pg_current_snapshot()') is not null
  and version() ~ '^PostgreSQL \\d+'
  and version() !~* '-yb-|greenplum|redshift|cloudberry|materialize'
)::text`,
};
