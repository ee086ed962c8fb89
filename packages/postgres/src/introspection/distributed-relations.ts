import {
  Introspection,
  type Relation,
  type RelationPath,
  type Statement,
} from '@proj/engine/database';

import type { Row } from '../connection/connection.ts';
import type { DistributedTables } from '../connection/distribution.ts';
import {
  CLUSTER_SERVERS,
  DISTRIBUTED_TABLES,
  HAS_CITUS,
  IS_DISTRIBUTED,
} from '../states/cluster-state.ts';
import { isPlainWithMembers, READS_OF_VIEWS } from '../states/relation-state.ts';

/** Whether the database has Citus, which {@link distributedRelations} depends on. */
export const KNOWS_CITUS: Statement = { sql: `select ${HAS_CITUS}`, parameters: [] };

/** What was found of a cluster: what tables are distributed, and over which servers. */
export interface ClusterFacts {
  /** As {@link DISTRIBUTED_TABLES} has it. */
  readonly tables: string;
  /** As {@link CLUSTER_SERVERS} has it. */
  readonly servers: string;
  /** The group of the server that was asked. */
  readonly ownGroup: string;
}

/** Of the members of {@link ClusterFacts} in their order. */
const CLUSTER_FACTS = `${DISTRIBUTED_TABLES}, ${CLUSTER_SERVERS}, (
  select l.groupid::text from pg_catalog.pg_dist_local_group l
)`;

const DISTRIBUTED_BY_CITUS = `
  union all
  select d.logicalrelid::oid, true, 'several servers, over which Citus distributes them'
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
with recursive afar (id, in_cluster, place) as (
  select t.ftrelid, false, format('the server "%s" (%s)', s.srvname, w.fdwname)
  from pg_foreign_table t
  join pg_foreign_server s on s.oid = t.ftserver
  join pg_foreign_data_wrapper w on w.oid = s.srvfdw${hasCitus ? DISTRIBUTED_BY_CITUS : ''}
), shows (id, other) as (
  select inhparent, inhrelid
  from pg_inherits
  union
  select c.oid, d.refobjid
  from ${READS_OF_VIEWS}
), found (id, other, in_cluster, place) as (
  select id, id, in_cluster, place
  from afar
  union
  select s.id, f.other, f.in_cluster, f.place
  from found f
  join shows s on s.other = f.id
)
select coalesce(json_agg(json_build_object(
  'path', json_build_array(n.nspname, c.relname),
  'table', case when f.other <> c.oid then f.other::regclass::text end,
  'read', json_build_array(m.nspname, o.relname),
  'in_cluster', f.in_cluster,
  'is_plain', ${isPlainWithMembers('c.oid')},
  'place', f.place
) order by f.other), '[]')::text,
  ${hasCitus ? CLUSTER_FACTS : 'null, null, null'}
from found f
join pg_class c on c.oid = f.id
join pg_namespace n on n.oid = c.relnamespace
join pg_class o on o.oid = f.other
join pg_namespace m on m.oid = o.relnamespace`,
  };
}

/** That some rows of a relation, those of the table if one is named, are at another place. */
interface DistributedRows {
  readonly path: RelationPath;
  readonly table: string | null;
  /** The table whose rows they are. */
  readonly read: RelationPath;
  /** Whether that is one of a Citus cluster. */
  readonly in_cluster: boolean;
  /** Whether the relation is a table whose rows are in heaps, and shown to everybody alike. */
  readonly is_plain: boolean;
  readonly place: string;
}

/** What {@link distributedRelations} found of the tables that Citus distributes. */
export function distributedTables([text, tables]: Row): DistributedTables {
  return { tables: tables ?? undefined, relations: rowsOf(text).map(({ path }) => path) };
}

/** What {@link distributedRelations} found of the cluster; undefined where there is none. */
export function clusterFacts([, tables, servers, ownGroup]: Row): ClusterFacts | undefined {
  if (typeof tables !== 'string') return undefined;
  return { tables, servers: servers ?? '', ownGroup: ownGroup ?? '' };
}

/**
 * The relations, each with where its rows are if that is not this server.
 *
 * @param noCut why no state of all servers of a cluster can be read; undefined where one can
 */
export function withPlaces(
  relations: readonly Relation[],
  [text]: Row,
  noCut: string | undefined,
): Relation[] {
  return Introspection.withFacts(relations, rowsOf(text), (relation, rows) => {
    const [first] = rows;
    if (first === undefined) return relation;
    const isInCluster = rows.every((row) => row.in_cluster);
    const cut = isInCluster && noCut === undefined && { cut: rows.map(({ read }) => read) };
    const why = isInCluster && noCut !== undefined && noCut !== '' ? ` ${noCut}` : '';
    return { ...relation, distributed: `${describe(first)}${why}`, ...cut };
  });
}

/**
 * The relations, those that are read in one state of all servers with snapshots and versions of it:
 * tables that are distributed themselves. A view over them may read more than the state has.
 */
export function withCutVersions(relations: readonly Relation[], [text]: Row): Relation[] {
  const rows = rowsOf(text).filter(({ table, is_plain: isPlain }) => table === null && isPlain);
  return Introspection.withFacts(relations, rows, (relation, plain) =>
    relation.cut !== undefined && plain.length > 0
      ? { ...relation, snapshots: true, versioned: true }
      : relation,
  );
}

function rowsOf(text: string | null | undefined): DistributedRows[] {
  return JSON.parse(text ?? '[]') as DistributedRows[];
}

function describe({ table, place }: DistributedRows): string {
  const whose = table === null ? 'Its rows' : `Its rows of ${table}`;
  return `${whose} are on ${place}.`;
}
