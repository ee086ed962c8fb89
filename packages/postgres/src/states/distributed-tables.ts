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
