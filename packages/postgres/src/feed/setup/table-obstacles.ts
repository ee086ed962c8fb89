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
const SHOWING_MORE_THAN_VALUES = `
  select t.relation
  from types t
  join pg_type y on y.oid = t.id
  join pg_proc f on f.oid = y.typoutput
  where y.typtype = 'b'
    and f.provolatile <> 'i'
    and f.proname not in (
      'array_out', 'date_out', 'timestamp_out', 'timestamptz_out', 'interval_out'
    )`;

interface Obstacle {
  /** A condition on `c`, a row of `pg_class`, in a query with its `types`. */
  readonly sql: string;
  /** Completes a message about the named table. */
  readonly text: (name: string) => string;
}

/** Why the change log does not determine what a table shows, in the order of checking. */
export const TABLE_OBSTACLES = {
  view: { sql: `c.relkind not in ('r', 'p', 'f')`, text: () => 'It is a view.' },
  foreign: {
    sql: `c.relkind = 'f'`,
    text: (name) => `${name} is a foreign table: its rows are on another server.`,
  },
  unlogged: {
    sql: `c.relpersistence <> 'p'`,
    text: (name) => `${name} is unlogged: its changes are not in the log.`,
  },
  /** Snapshots need PostgreSQL's own storage. */
  storage: {
    sql: `exists (select from pg_am m where m.oid = c.relam and m.amname <> 'heap')`,
    text: (name) => `${name} is stored in a way of an extension's.`,
  },
  /** Computed on read, by functions that may change. */
  virtual_columns: {
    sql: `exists (
      select
      from pg_attribute v
      where v.attrelid = c.oid and v.attnum > 0 and v.attgenerated = 'v'
    )`,
    text: (name) => `${name} has virtual columns, whose values are not in the log.`,
  },
  /** The text of a column, such as `regclass`, may change while the row does not. */
  shown_names: {
    sql: `c.oid in (${SHOWING_MORE_THAN_VALUES})`,
    text: (name) => `${name} has columns that show names of other objects, or money.`,
  },
  /** No obstacle for callers whom the database knows. */
  row_security: {
    sql: 'c.relrowsecurity',
    text: (name) => `${name} has row-level security: what it shows depends on who asks.`,
  },
} as const satisfies Readonly<Record<string, Obstacle>>;

export type TableObstacle = keyof typeof TABLE_OBSTACLES;

/** SQL: the name of `c`'s first obstacle; NULL for none. */
export const FIRST_OBSTACLE: string = firstOf(TABLE_OBSTACLES);

const { row_security: _, ...OTHER_OBSTACLES } = TABLE_OBSTACLES;

/** For callers, each of whom is shown rows of their own. */
export const FIRST_OBSTACLE_TO_CALLERS: string = firstOf(OTHER_OBSTACLES);

function firstOf(obstacles: Readonly<Record<string, Obstacle>>): string {
  const cases = Object.entries(obstacles).map(([name, { sql }]) => `when ${sql} then '${name}'`);
  return `case\n  ${cases.join('\n  ')}\nend`;
}
