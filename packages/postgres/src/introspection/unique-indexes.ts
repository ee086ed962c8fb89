/** Whether the rows of a relation `c` that are there have no NULL in its column `a`. */
export const NOT_NULL = `c.relkind in ('r', 'p') and a.attnotnull and not exists (
  select
  from pg_constraint v
  where v.conrelid = c.oid
    and v.contype = 'n'
    and not v.convalidated
    and a.attnum = any(v.conkey)
)`;

/** Whether other tables inherit from a relation `c`, whose rows its indexes do not cover. */
export const HAS_CHILDREN = `c.relkind <> 'p' and exists (
  select from pg_inherits h where h.inhparent = c.oid
)`;

/** The unique indexes of a relation `c` that cover all its rows, the primary key first, as JSON. */
export const UNIQUE_INDEXES = `select json_agg(
  json_build_object(
    'primary', i.indisprimary, 'immediate', i.indimmediate, 'columns', k.columns
  )
  order by i.indisprimary desc, i.indnkeyatts, i.indexrelid
)
from pg_index i
cross join lateral (
  select json_agg(
    json_build_object(
      'column', a.attname,
      'collation', (
        select quote_ident(s.nspname) || '.' || quote_ident(o.collname)
        from pg_collation o
        join pg_namespace s on s.oid = o.collnamespace
        where o.oid = i.indcollation[p.place - 1]
      ),
      'is_own', i.indcollation[p.place - 1] in (0, a.attcollation)
    )
    order by p.place
  ) as columns
  from unnest(i.indkey::int2[]) with ordinality as p (attnum, place)
  join pg_attribute a on a.attrelid = c.oid and a.attnum = p.attnum
  where p.place <= i.indnkeyatts
) k
where i.indrelid = c.oid
  and i.indisunique
  and i.indisvalid
  and i.indisready
  and i.indpred is null
  and i.indexprs is null`;
