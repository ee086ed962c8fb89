import { RELIED_VARIABLES, type ReliedVariable } from './settings.ts';

export interface Server {
  readonly name: string;
  /** For traces; other servers with MySQL's protocol count as `mysql`. */
  readonly product: 'mariadb' | 'mysql';
  readonly required: readonly string[];
  /** Skipped where the server does not know them. */
  readonly helpful: readonly string[];
  /** Selects the administrator's limit in seconds; 0 is none. */
  readonly administratorsLimit: string;
  limitStatements(seconds: number): string;
  /** SQL: whether the server uses an index of `information_schema.statistics`. */
  readonly indexInUse: string;
  readonly jsonIsCheckedText: boolean;
  /** Selects which process of which server answers; undefined where snapshots have no versions. */
  readonly instance?: string;
}

const NAMES = 'names utf8mb4';

/** Pins the collation of `lower` and of literals, which differs between releases. */
const MARIADB_NAMES = `${NAMES} collate utf8mb4_general_ci`;

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

/** Each statement reads one snapshot, and the session cannot write. */
const READ_ONLY = 'set session transaction isolation level repeatable read, read only';

/** A page does not wait long behind an `alter table`. */
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

/** Some releases lack variables. On shared storage (Aurora), a reader's numbers say nothing. */
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

/** TiDB refuses read-only sessions by default; its isolation level is a snapshot anyway. */
const TIDB: Omit<Server, 'name'> = {
  ...MYSQL,
  required: [COMMON],
  helpful: [READ_ONLY, ...MYSQL.helpful],
};

export function serverOf(version: string): Server {
  const product = /mariadb|tidb|vitess/i.exec(version)?.[0] ?? 'MySQL';
  const number = /\d+(\.\d+)*/.exec(version)?.[0] ?? '';
  const name = `${product} ${number}`.trim();
  if (/mariadb/i.test(version)) return { ...MARIADB, name };
  if (/tidb/i.test(version)) return { ...TIDB, name };
  if (/vitess/i.test(version)) return { ...MYSQL, name };
  return { ...MYSQL, name, instance: instanceIn('performance_schema') };
}
