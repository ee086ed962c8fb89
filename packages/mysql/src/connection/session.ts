import { RELIED_VARIABLES, type ReliedVariable } from './settings.ts';

/** What is behind a connection, as answers to the questions in which the products differ. */
export interface Server {
  /** For messages and logs. */
  readonly name: string;
  /** For traces; what speaks the protocol of MySQL counts as that. */
  readonly product: 'mariadb' | 'mysql';
  /** Statements that every session begins with; a server that refuses one cannot be read from. */
  readonly required: readonly string[];
  /** Statements that help where they are understood. */
  readonly helpful: readonly string[];
  /** Asks for the limit that an administrator has set, in seconds; 0 is none. */
  readonly administratorsLimit: string;
  /** The statement that makes the server itself end statements that run longer. */
  limitStatements(seconds: number): string;
  /**
   * The condition under which an index of `information_schema.statistics` is one that the server
   * uses.
   */
  readonly indexInUse: string;
  /** Whether JSON columns are texts with a check constraint. */
  readonly jsonIsCheckedText: boolean;
  /**
   * Asks which process of which server answers; undefined where the snapshots of its sessions have
   * no versions.
   */
  readonly instance?: string;
}

/** Texts travel as UTF-8. */
const NAMES = 'names utf8mb4';

/** The collation of `lower` and of what has none of its own is not that of a release. */
const MARIADB_NAMES = `${NAMES} collate utf8mb4_general_ci`;

/** How every session begins. */
const COMMON = setAll([NAMES, ...neededOn('all')]);

function neededOn(...servers: readonly ReliedVariable['neededOn'][]): string[] {
  return RELIED_VARIABLES.flatMap(({ name, value, neededOn: needed }) =>
    servers.includes(needed) ? `${name} = ${value}` : [],
  );
}

function setAll(settings: readonly string[]): string {
  return `set ${settings.join(', ')}`;
}

function setEach(settings: readonly string[]): string[] {
  return settings.map((setting) => setAll([setting]));
}

/** A statement reads one snapshot at this level, and the session cannot write. */
const READ_ONLY = 'set session transaction isolation level repeatable read, read only';

/** A page does not wait long behind somebody's `alter table`. */
const LOCK_WAITS = [
  'set session lock_wait_timeout = 2',
  'set session innodb_lock_wait_timeout = 2',
];

const MYSQL: Omit<Server, 'name'> = {
  product: 'mysql',
  required: [COMMON, READ_ONLY],
  helpful: [...LOCK_WAITS, ...setEach(neededOn('MariaDB', 'MySQL', 'none'))],
  administratorsLimit: 'select @@session.max_execution_time / 1000',
  limitStatements: (seconds) => `set session max_execution_time = ${seconds * 1000}`,
  indexInUse: "is_visible = 'YES'",
  jsonIsCheckedText: false,
};

/**
 * Servers of other releases lack some of the variables. Where several servers share one storage, as
 * those of Aurora do, the numbers of a reader's transactions say nothing of the data.
 */
const instanceIn = (schema: string): string => `select
    (
      select group_concat(variable_name, '=', variable_value order by variable_name)
      from ${schema}.global_variables
      where variable_name in (
        'HOSTNAME', 'PORT', 'SOCKET', 'DATADIR', 'SERVER_ID', 'SERVER_UID', 'SERVER_UUID',
        'WSREP_NODE_NAME'
      ) and not exists (
        select 1 from ${schema}.global_variables where variable_name regexp 'aurora|polar'
      )
    ),
    unix_timestamp() - (
      select variable_value from ${schema}.global_status where variable_name = 'UPTIME'
    )`;

const MARIADB: Omit<Server, 'name'> = {
  ...MYSQL,
  product: 'mariadb',
  required: [setAll([MARIADB_NAMES, ...neededOn('all', 'MariaDB')]), READ_ONLY],
  helpful: [...LOCK_WAITS, ...setEach(neededOn('none'))],
  administratorsLimit: 'select @@session.max_statement_time',
  limitStatements: (seconds) => `set session max_statement_time = ${seconds}`,
  indexInUse: "ignored = 'NO'",
  jsonIsCheckedText: true,
  instance: instanceIn('information_schema'),
};

/**
 * TiDB refuses read-only sessions unless the operator lets it ignore them; its isolation level is a
 * snapshot anyway.
 */
const TIDB: Omit<Server, 'name'> = {
  ...MYSQL,
  required: [COMMON],
  helpful: [READ_ONLY, ...MYSQL.helpful],
};

/** The server that gives this answer to `select version()`. */
export function serverOf(version: string): Server {
  const product = /mariadb|tidb|vitess/i.exec(version)?.[0] ?? 'MySQL';
  const number = /\d+(\.\d+)*/.exec(version)?.[0] ?? '';
  const name = `${product} ${number}`.trim();
  if (/mariadb/i.test(version)) return { ...MARIADB, name };
  if (/tidb/i.test(version)) return { ...TIDB, name };
  if (/vitess/i.test(version)) return { ...MYSQL, name };
  return { ...MYSQL, name, instance: instanceIn('performance_schema') };
}
