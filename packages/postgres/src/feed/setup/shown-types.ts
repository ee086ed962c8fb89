/**
 * The types of the columns of relations, and the types in these at any depth; for a recursive query
 * `types (relation, id)`.
 *
 * @param relations a query for their numbers
 */
export function shownTypes(relations: string): string {
  return `
  select a.attrelid, a.atttypid
  from pg_attribute a
  where a.attrelid in (${relations}) and a.attnum > 0 and not a.attisdropped
  union
  select t.relation, n.id
  from types t
  cross join lateral (
    select y.typbasetype from pg_type y where y.oid = t.id
    union all
    select y.typelem from pg_type y where y.oid = t.id
    union all
    select r.rngsubtype
    from pg_range r
    where t.id in (r.rngtypid, (to_jsonb(r) ->> 'rngmultitypid')::oid)
    union all
    select a.atttypid
    from pg_type y
    join pg_attribute a on a.attrelid = y.typrelid and a.attnum > 0
    where y.oid = t.id
  ) n (id)
  where n.id <> 0`;
}

/**
 * Those of the relations of `types` that show values whose text may change while they do not:
 * `regclass` shows the name that a table has now, `aclitem` those of roles, `money` the currency of
 * the server. Dates depend on settings that each session has from us.
 */
export const SHOWING_MORE_THAN_VALUES = `
  select t.relation
  from types t
  join pg_type y on y.oid = t.id
  join pg_proc f on f.oid = y.typoutput
  where y.typtype = 'b'
    and f.provolatile <> 'i'
    and f.proname not in (
      'array_out', 'date_out', 'timestamp_out', 'timestamptz_out', 'interval_out'
    )`;
