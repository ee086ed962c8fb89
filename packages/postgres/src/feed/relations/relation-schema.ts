import type { RelationPath, Statement } from '@proj/engine/database';

import type { Row } from '../../connection/connection.ts';
import { WITHOUT_CITUS } from '../../states/relation-state.ts';
import { MEMBERS, tablesOf } from '../setup/tables.ts';
import { functionsOf, type StampedParts } from './stamp.ts';

export interface KeyColumn {
  readonly name: string;
  /** SQL: the type that reads a value as the log brings it. */
  readonly type: string;
  /** SQL: the operator of the index. */
  readonly equals: string;
  /** Runs before policies do, so it must not leak rows that they hide. */
  readonly isLeakproof: boolean;
}

export interface RelationColumn {
  readonly name: string;
  /** As the database prints it, plus a nondeterministic collation. Empty unless built in. */
  readonly type: string;
  /** Whether a stamp fixes what filters say of a value: it has all functions that compare it. */
  readonly isStable: boolean;
}

export interface RelationSchema extends StampedParts {
  /** Of the replica identity or primary key, in order. Empty without one, or with child tables. */
  readonly key: readonly KeyColumn[];
  readonly isSeekable: boolean;
  readonly columns: readonly RelationColumn[];
  /** Whether its tables have no obstacle, and all of their rows are published. */
  readonly isFollowable: boolean;
  readonly isPoliced: boolean;
}

/** System objects, which nobody changes, have smaller oids. */
const FIRST_OF_USERS = 16_384;

/** The strategy number of equality in btree operator families. */
const EQUAL = 3;

export function schemaStatement(path: RelationPath, publication: string): Statement {
  return {
    parameters: [publication, JSON.stringify([path])],
    sql: `
${tablesOf(MEMBERS)}, relation as (
  select c.*
  from pg_class c
  where c.oid in (select relation from members)
), key_columns (relation, place, attnum, op_class, sorted_by) as (
  select i.indrelid, k.place, k.attnum, k.op_class, k.sorted_by
  from relation c
  join pg_index i on i.indrelid = c.oid
  cross join lateral unnest(
    i.indkey::int2[], i.indclass::oid[], i.indcollation::oid[]
  ) with ordinality k (attnum, op_class, sorted_by, place)
  where k.place <= i.indnkeyatts
    and case when c.relreplident = 'i' then i.indisreplident else i.indisprimary end
    and (c.relkind = 'p' or not exists (select from pg_inherits h where h.inhparent = c.oid))
)
select json_build_object(
  'oid', c.oid::bigint,
  'schema', c.relnamespace::bigint,
  'members', (select json_agg(m.id::bigint order by m.id) from members m),
  'types', coalesce(
    (
      select json_agg(t.id::bigint order by t.id)
      from types t
      where t.relation = c.oid and t.id >= ${FIRST_OF_USERS}
    ),
    '[]'
  ),
  'key', coalesce((
    select json_agg(json_build_object(
      'name', a.attname,
      'type', format_type(case when y.typtype = 'p' then a.atttypid else y.oid end, -1),
      'equals', format('operator(%I.%s)', n.nspname, o.oprname),
      'isLeakproof', f.proleakproof
    ) order by k.place)
    from key_columns k
    join pg_attribute a on a.attrelid = k.relation and a.attnum = k.attnum
    join pg_opclass p on p.oid = k.op_class
    join pg_type y on y.oid = p.opcintype
    join pg_amop m on m.amopfamily = p.opcfamily
      and m.amoplefttype = y.oid
      and m.amoprighttype = y.oid
      and m.amopstrategy = ${EQUAL}
    join pg_operator o on o.oid = m.amopopr
    join pg_proc f on f.oid = o.oprcode
    join pg_namespace n on n.oid = o.oprnamespace
  ), '[]'),
  'isSeekable', coalesce((
    select bool_and(k.sorted_by = a.attcollation)
    from key_columns k
    join pg_attribute a on a.attrelid = k.relation and a.attnum = k.attnum
  ), false),
  'columns', coalesce((
    select json_agg(json_build_object(
      'name', a.attname,
      'type', case
        when y.oid < ${FIRST_OF_USERS} then format_type(a.atttypid, a.atttypmod) || coalesce((
          select ' collate ' || l.collname
          from pg_collation l
          where l.oid = a.attcollation and not l.collisdeterministic
        ), '')
        else ''
      end,
      'isStable', case
        when y.oid < ${FIRST_OF_USERS} or y.typtype = 'e' then true
        when y.typtype = 'd' then y.typbasetype < ${FIRST_OF_USERS}
        when y.typtype = 'b' then not exists (
          select
          from pg_proc f
          join pg_language l on l.oid = f.prolang
          where f.oid in (${functionsOf('y.oid')})
            and f.oid >= ${FIRST_OF_USERS}
            and (f.provolatile <> 'i' or l.lanname not in ('internal', 'c'))
        )
        else false
      end
    ))
    from pg_attribute a
    join pg_type y on y.oid = a.atttypid
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  ), '[]'),
  'isPoliced', exists (select from tables t where t.obstacle = 'row_security'),
  'isFollowable', not c.relispartition
    and ${WITHOUT_CITUS}
    and not exists (
      select
      from tables t
      where t.obstacle <> 'row_security'
        or t.kind = 'table' and not t."isPublished"
        or t."hasRowFilter"
        or t."hasColumnList"
    )
)::text
from relation c`,
  };
}

export function schemaOf([json]: Row): RelationSchema | undefined {
  if (json === null || json === undefined) return undefined;
  return JSON.parse(json) as RelationSchema;
}
