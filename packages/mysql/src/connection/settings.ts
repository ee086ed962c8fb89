interface Variable {
  readonly value: string;
  readonly why: string;
}

type Variables = Readonly<Record<string, Variable>>;

export interface ReliedVariable extends Variable {
  readonly name: string;
  /** Servers that must accept it. The others are asked too, except MariaDB for what is MySQL's. */
  readonly neededOn: 'all' | 'MariaDB' | 'MySQL' | 'none';
}

const ALL: Variables = {
  time_zone: { value: "'+00:00'", why: 'instants travel in UTC' },
  sql_mode: {
    value: "'ALLOW_INVALID_DATES'",
    why:
      'quotes, backslashes, `||` and division mean the same everywhere; a filter takes dates ' +
      'that no calendar has, since columns may hold them',
  },
  autocommit: {
    value: '1',
    why: 'each statement is a transaction of its own, so that none reads an old snapshot',
  },
  sql_select_limit: { value: '18446744073709551615', why: 'a lower one silently cuts pages' },
  max_sort_length: {
    value: '8192',
    why:
      'under the default of 1024 bytes two keys with a long common beginning count as equal, and ' +
      'pages lose rows',
  },
};

const MARIADB: Variables = {
  completion_type: {
    value: "'NO_CHAIN'",
    why: 'under `CHAIN` a transaction follows each other one, whose snapshot grows old',
  },
  group_concat_max_len: {
    value: '1073741824',
    why: 'a lower one silently cuts texts of views, and the names by which servers differ',
  },
  sql_big_selects: {
    value: '1',
    why: 'otherwise `max_join_size` refuses lists that look long; time limits are ours',
  },
  sql_auto_is_null: { value: '0', why: '`1` makes `is null` find the row that was inserted last' },
  div_precision_increment: {
    value: '4',
    why: 'how many digits a division adds, in facets and views',
  },
  old_mode: {
    value: "'UTF8_IS_UTF8MB3'",
    why: 'casts between times and dates mean the same everywhere',
  },
  max_recursive_iterations: {
    value: '4294967295',
    why: 'recursive views silently end at 1000 steps by default',
  },
  system_versioning_asof: {
    value: 'default',
    why: 'a moment makes tables with system versions show what they were then',
  },
};

const MYSQL: Variables = {
  cte_max_recursion_depth: {
    value: '4294967295',
    why: 'recursive views of more than 1000 steps are refused by default',
  },
};

const NONE: Variables = {
  wsrep_dirty_reads: {
    value: '0',
    why: 'a node of Galera that has lost the others refuses reads instead of showing an old state',
  },
  query_cache_type: {
    value: '0',
    why: 'each page is read, and not taken from the cache of the server',
  },
  timestamp: {
    value: 'default',
    why: '`now()` in views is the present; a server with `secure_timestamp` keeps its own',
  },
};

/** Set in every session, after the character set, over the server's values and `init_connect`. */
export const RELIED_VARIABLES: readonly ReliedVariable[] = [
  ...neededOn('all', ALL),
  ...neededOn('MariaDB', MARIADB),
  ...neededOn('MySQL', MYSQL),
  ...neededOn('none', NONE),
];

function neededOn(servers: ReliedVariable['neededOn'], variables: Variables): ReliedVariable[] {
  return Object.entries(variables).map(([name, one]) => ({ name, neededOn: servers, ...one }));
}
