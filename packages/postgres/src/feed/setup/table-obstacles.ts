import { SHOWING_MORE_THAN_VALUES } from './shown-types.ts';

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
