/** The databases of these tests, and what the titles of tests call them. */
export const DATABASES = [
  { name: 'postgres', title: 'PostgreSQL' },
  { name: 'mariadb', title: 'MariaDB' },
  { name: 'sqlite', title: 'SQLite' },
] as const;

export type DatabaseName = (typeof DATABASES)[number]['name'];

/**
 * A database of the fault suite: `items` with 1,000 rows, `others` with 10, and the view `slow`,
 * which takes a minute.
 */
export interface FaultDatabase {
  readonly name: DatabaseName;
  /** Where the service finds it. */
  readonly url: string;
  /** Runs statements on a connection of their own. */
  readonly run: (sql: string) => Promise<unknown>;
  /** The rows of one statement. */
  readonly rows: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Takes the database away at once, as a crash does; what was committed stays. */
  readonly halt: () => Promise<void>;
  /** Brings it back at the same address. */
  readonly restart: () => Promise<void>;
  /** Holds `items` so that nobody can read it. @returns what lets it go. */
  readonly lock: () => Promise<() => Promise<void>>;
  /**
   * Lets every process of the database stand still; for SQLite the readers of the service `pid`.
   * @returns what lets them go on.
   */
  readonly freeze: (pid: number) => Promise<() => Promise<void>>;
  /**
   * Takes every connection that the database gives. @returns what lets them go. Nothing happens
   * where there are none.
   */
  readonly takeEveryConnection: () => Promise<() => Promise<void>>;
  /** Ends the connections of a service while it goes on; `pid` is the process of the service. */
  readonly breakConnections: (pid: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What every database of the suite begins with. */
export const ITEMS = [
  'create table items (id integer primary key, name varchar(80) not null, amount numeric(12, 2))',
  'create table others (id integer primary key, name varchar(80) not null)',
];

/** Rows of `items`, so that a page shows whose it is. */
const ROWS = 1000;

/** Statements that fill the tables. */
export function fillings(): string[] {
  const items = Array.from(
    { length: ROWS },
    (_, index) => `(${index + 1}, 'item ${index + 1}', ${index + 1}.50)`,
  ).join(', ');
  const others = Array.from(
    { length: 10 },
    (_, index) => `(${index + 1}, 'other ${index + 1}')`,
  ).join(', ');
  return [`insert into items values ${items}`, `insert into others values ${others}`];
}
