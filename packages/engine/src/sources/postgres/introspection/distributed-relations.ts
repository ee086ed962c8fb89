import type { Relation, RelationPath } from '../../../catalogue/relation.ts';
import type { Statement } from '../../../sql/statement.ts';
import type { Row } from '../connection/connection.ts';
import type { DistributedTables } from '../connection/undistributed-reads.ts';
import { DISTRIBUTED_TABLES, HAS_CITUS, IS_DISTRIBUTED } from '../states/distributed-tables.ts';

/** Whether the database has Citus, which {@link distributedRelations} depends on. */
export const KNOWS_CITUS: Statement = { sql: `select ${HAS_CITUS}`, parameters: [] };

const DISTRIBUTED_BY_CITUS = `
  union all
  select d.logicalrelid::oid, 'several servers, over which Citus distributes them'
  from pg_catalog.pg_dist_partition d
  where ${IS_DISTRIBUTED}`;

/**
 * Tables whose rows other servers have, and what shows rows of such tables: the tables that they
 * are partitions of or inherit from, and views. A materialised view has rows of its own.
 */
export function distributedRelations([knowsCitus]: Row): Statement {
  const hasCitus = knowsCitus === 't';
  return {
    parameters: [],
    sql: `
with recursive afar (id, place) as (
  select t.ftrelid, format('the server "%s" (%s)', s.srvname, w.fdwname)
  from pg_foreign_table t
  join pg_foreign_server s on s.oid = t.ftserver
  join pg_foreign_data_wrapper w on w.oid = s.srvfdw${hasCitus ? DISTRIBUTED_BY_CITUS : ''}
), shows (id, other) as (
  select inhparent, inhrelid
  from pg_inherits
  union
  select v.oid, d.refobjid
  from pg_class v
  join pg_rewrite r on r.ev_class = v.oid and r.rulename = '_RETURN'
  join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
  where v.relkind = 'v'
    and d.refclassid = 'pg_class'::regclass
), found (id, other, place) as (
  select id, id, place
  from afar
  union
  select s.id, f.other, f.place
  from found f
  join shows s on s.other = f.id
)
select coalesce(json_agg(json_build_object(
  'path', json_build_array(n.nspname, c.relname),
  'table', case when f.other <> c.oid then f.other::regclass::text end,
  'place', f.place
) order by f.other), '[]')::text,
  ${hasCitus ? DISTRIBUTED_TABLES : 'null'}
from found f
join pg_class c on c.oid = f.id
join pg_namespace n on n.oid = c.relnamespace`,
  };
}

/** That some rows of a relation, those of the table if one is named, are at another place. */
interface DistributedRows {
  readonly path: RelationPath;
  readonly table: string | null;
  readonly place: string;
}

/** What {@link distributedRelations} found of the tables that Citus distributes. */
export function distributedTables([text, tables]: Row): DistributedTables {
  return { tables: tables ?? undefined, relations: rowsOf(text).map(({ path }) => path) };
}

/** The relations, each with where its rows are if that is not this server. */
export function withPlaces(relations: readonly Relation[], [text]: Row): Relation[] {
  const rows = rowsOf(text);
  const found = new Map(rows.toReversed().map((row) => [JSON.stringify(row.path), row]));
  return relations.map((relation) => {
    const row = found.get(JSON.stringify(relation.path));
    return row === undefined ? relation : { ...relation, distributed: describe(row) };
  });
}

function rowsOf(text: string | null | undefined): DistributedRows[] {
  return JSON.parse(text ?? '[]') as DistributedRows[];
}

function describe({ table, place }: DistributedRows): string {
  const whose = table === null ? 'Its rows' : `Its rows of ${table}`;
  return `${whose} are on ${place}.`;
}
