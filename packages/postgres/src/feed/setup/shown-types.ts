/** A recursive query `types (relation, id)`: types of columns, and types within, at any depth. */
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
 * Relations whose values may change their text: `regclass` prints a table's current name, `aclitem`
 * roles', `money` the server's currency. Dates depend only on our session settings.
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
