export interface ReliedVariable {
  readonly name: string;
  readonly value: string;
  /** Servers that must accept it. The others are asked too, except MariaDB for what is MySQL's. */
  readonly neededOn: 'all' | 'MariaDB' | 'MySQL' | 'none';
  readonly why: string;
}

/** Set in every session, after the character set, over the server's values and `init_connect`. */
export const RELIED_VARIABLES: readonly ReliedVariable[] = [
  {
    name: 'time_zone',
    value: "'+00:00'",
    neededOn: 'all',
    why: 'instants travel in UTC',
  },
  {
    name: 'sql_mode',
    value: "'ALLOW_INVALID_DATES'",
    neededOn: 'all',
    why:
      'quotes, backslashes, `||` and division mean the same everywhere; a filter takes dates ' +
      'that no calendar has, since columns may hold them',
  },
  {
    name: 'autocommit',
    value: '1',
    neededOn: 'all',
    why: 'each statement is a transaction of its own, so that none reads an old snapshot',
  },
  {
    name: 'sql_select_limit',
    value: '18446744073709551615',
    neededOn: 'all',
    why: 'a lower one silently cuts pages',
  },
  {
    name: 'max_sort_length',
    value: '8192',
    neededOn: 'all',
    why:
      'under the default of 1024 bytes two keys with a long common beginning count as equal, and ' +
      'pages lose rows',
  },
  {
    name: 'completion_type',
    value: "'NO_CHAIN'",
    neededOn: 'MariaDB',
    why: 'under `CHAIN` a transaction follows each other one, whose snapshot grows old',
  },
  {
    name: 'group_concat_max_len',
    value: '1073741824',
    neededOn: 'MariaDB',
    why: 'a lower one silently cuts texts of views, and the names by which servers differ',
  },
  {
    name: 'sql_big_selects',
    value: '1',
    neededOn: 'MariaDB',
    why: 'otherwise `max_join_size` refuses lists that look long; time limits are ours',
  },
  {
    name: 'sql_auto_is_null',
    value: '0',
    neededOn: 'MariaDB',
    why: '`1` makes `is null` find the row that was inserted last',
  },
  {
    name: 'div_precision_increment',
    value: '4',
    neededOn: 'MariaDB',
    why: 'how many digits a division adds, in facets and views',
  },
  {
    name: 'old_mode',
    value: "'UTF8_IS_UTF8MB3'",
    neededOn: 'MariaDB',
    why: 'casts between times and dates mean the same everywhere',
  },
  {
    name: 'max_recursive_iterations',
    value: '4294967295',
    neededOn: 'MariaDB',
    why: 'recursive views silently end at 1000 steps by default',
  },
  {
    name: 'cte_max_recursion_depth',
    value: '4294967295',
    neededOn: 'MySQL',
    why: 'recursive views of more than 1000 steps are refused by default',
  },
  {
    name: 'system_versioning_asof',
    value: 'default',
    neededOn: 'MariaDB',
    why: 'a moment makes tables with system versions show what they were then',
  },
  {
    name: 'wsrep_dirty_reads',
    value: '0',
    neededOn: 'none',
    why: 'a node of Galera that has lost the others refuses reads instead of showing an old state',
  },
  {
    name: 'query_cache_type',
    value: '0',
    neededOn: 'none',
    why: 'each page is read, and not taken from the cache of the server',
  },
  {
    name: 'timestamp',
    value: 'default',
    neededOn: 'none',
    why: '`now()` in views is the present; a server with `secure_timestamp` keeps its own',
  },
];
