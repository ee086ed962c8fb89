import { SHOWING_MORE_THAN_VALUES } from './shown-types.ts';

interface Obstacle {
  /** A condition on `c`, a row of `pg_class`, in a query that has the `types` of its columns. */
  readonly sql: string;
  /** What is said of the table of this name. */
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
  /** Snapshots are made for rows that are stored in PostgreSQL's own way. */
  storage: {
    sql: `exists (select from pg_am m where m.oid = c.relam and m.amname <> 'heap')`,
    text: (name) => `${name} is stored in a way of an extension's.`,
  },
  /** They are computed when they are read, by functions that may change. */
  virtual_columns: {
    sql: `exists (
      select
      from pg_attribute v
      where v.attrelid = c.oid and v.attnum > 0 and v.attgenerated = 'v'
    )`,
    text: (name) => `${name} has virtual columns, whose values are not in the log.`,
  },
  /** The text of a column may change while the row does not, such as that of `regclass`. */
  shown_names: {
    sql: `c.oid in (${SHOWING_MORE_THAN_VALUES})`,
    text: (name) => `${name} has columns that show names of other objects, or money.`,
  },
  /** It is none for callers of whom the database knows who they are. */
  row_security: {
    sql: 'c.relrowsecurity',
    text: (name) => `${name} has row-level security: what it shows depends on who asks.`,
  },
} as const satisfies Readonly<Record<string, Obstacle>>;

export type TableObstacle = keyof typeof TABLE_OBSTACLES;

/** The name of the first obstacle of `c`, as SQL; NULL where it has none. */
export const FIRST_OBSTACLE: string = firstOf(TABLE_OBSTACLES);

const { row_security: _, ...OTHER_OBSTACLES } = TABLE_OBSTACLES;

/** The same for callers of the database, each of whom is shown rows of their own. */
export const FIRST_OBSTACLE_TO_CALLERS: string = firstOf(OTHER_OBSTACLES);

function firstOf(obstacles: Readonly<Record<string, Obstacle>>): string {
  const cases = Object.entries(obstacles).map(([name, { sql }]) => `when ${sql} then '${name}'`);
  return `case\n  ${cases.join('\n  ')}\nend`;
}
