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
import { allMembersAre, IS_PLAIN, READS_OF_VIEWS } from '../states/relation-state.ts';

export const KNOWS_CITUS: Statement = { sql: `select ${HAS_CITUS}`, parameters: [] };

export interface ClusterFacts {
  readonly tables: string;
  readonly servers: string;
  readonly ownGroup: string;
}

const CLUSTER_FACTS = `${DISTRIBUTED_TABLES}, ${CLUSTER_SERVERS}, (
  select l.groupid::text from pg_catalog.pg_dist_local_group l
)`;

const DISTRIBUTED_BY_CITUS = `
  union all
  select d.logicalrelid::oid, true, 'several servers, over which Citus distributes them'
  from pg_catalog.pg_dist_partition d
  where ${IS_DISTRIBUTED}`;

/** Tables with rows on other servers, their parents and views; not materialised views. */
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
  'is_plain', ${allMembersAre('c.oid', IS_PLAIN)},
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

/** Some rows of a relation, or of a named table in it, are elsewhere. */
interface DistributedRows {
  readonly path: RelationPath;
  readonly table: string | null;
  readonly read: RelationPath;
  readonly in_cluster: boolean;
  /** Whether the relation is a table with rows in heaps, shown to everybody alike. */
  readonly is_plain: boolean;
  readonly place: string;
}

export function distributedTables([text, tables]: Row): DistributedTables {
  return { tables: tables ?? undefined, relations: rowsOf(text).map(({ path }) => path) };
}

/** From the row of {@link distributedRelations}; undefined without a cluster. */
export function clusterFacts([, tables, servers, ownGroup]: Row): ClusterFacts | undefined {
  if (typeof tables !== 'string') return undefined;
  return { tables, servers: servers ?? '', ownGroup: ownGroup ?? '' };
}

/** Adds where rows are, unless here. `noCut`: why no state of all servers can be read. */
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
    const whose = first.table === null ? 'Its rows' : `Its rows of ${first.table}`;
    return { ...relation, distributed: `${whose} are on ${first.place}.${why}`, ...cut };
  });
}

/** Snapshots and versions of distributed tables. Views over them may read more than a cut has. */
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
