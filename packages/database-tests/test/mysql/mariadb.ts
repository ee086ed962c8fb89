import {
  hasMariadb,
  hasMysql,
  type MysqlOptions,
  type MysqlServer,
  type MariadbServer,
  newMariadbDatabase,
  newMysqlDatabase,
  startMariadb,
  startMysql,
  type TestDatabase,
} from '@proj/test-servers';
import { afterAll, beforeAll, describe } from 'vitest';

/** A group of tests that need a MariaDB server. */
export function describeMariadb(title: string, tests: () => void): void {
  (hasMariadb() ? describe : describe.skip)(title, tests);
}

/** A group of tests that need a MySQL server. */
export function describeMysql(title: string, tests: () => void): void {
  (hasMysql() ? describe : describe.skip)(title, tests);
}

/** What the tests of both products know of each. */
export interface Product {
  readonly name: 'MariaDB' | 'MySQL';
  /** How many digits after the point a decimal may have. */
  readonly mostScale: number;
  readonly isThere: () => boolean;
  readonly create: () => Promise<TestDatabase>;
  readonly start: (options: MysqlOptions) => Promise<MysqlServer>;
}

export const MARIADB: Product = {
  name: 'MariaDB',
  mostScale: 38,
  isThere: hasMariadb,
  create: newMariadbDatabase,
  start: startMariadb,
};

export const MYSQL: Product = {
  name: 'MySQL',
  mostScale: 30,
  isThere: hasMysql,
  create: newMysqlDatabase,
  start: startMysql,
};

/** A group of tests for each product. */
export function describeProducts(title: string, tests: (product: Product) => void): void {
  for (const product of [MARIADB, MYSQL]) describeProduct(product, title, tests);
}

/** A group of tests for one of them. */
export function describeProduct(
  product: Product,
  title: string,
  tests: (product: Product) => void,
): void {
  describe.skipIf(!product.isThere())(`${title} on ${product.name}`, () => {
    tests(product);
  });
}

/** Of a server that ends where it finds that it has written past the end of a piece of memory. */
export const CHECKED_MEMORY = {
  environment: { LD_PRELOAD: 'libc_malloc_debug.so.0', GLIBC_TUNABLES: 'glibc.malloc.check=3' },
  settings: ['skip-stack-trace'],
};

/**
 * Makes a database at the server of the worker for the tests of a group, and gives it once they
 * run.
 *
 * @param sql may ask for the name of the database
 */
export function useMariadb(
  sql: string | ((name: string) => string) = '',
  product = MARIADB,
): () => TestDatabase {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    if (!product.isThere()) return;
    database = await product.create();
    const content = typeof sql === 'string' ? sql : sql(nameOf(database));
    if (content !== '') await database.client(content);
  });
  return () => {
    if (database === undefined) throw new Error('The database is not made yet.');
    return database;
  };
}

/** Selects from the numbers from 1 to at most 1000, each as `n`. */
export function numbersTo(most: number, columns: string): string {
  return `with recursive s as (select 1 as n union all select n + 1 from s where n < ${most})
    select ${columns} from s`;
}

/** The name by which statements call a database. */
export function nameOf(database: TestDatabase): string {
  return new URL(database.url).pathname.slice(1);
}

type OwnServer = MysqlOptions & { readonly sql?: string };

/**
 * Starts a server for the tests of a group that kill, freeze, restart or reconfigure it, and gives
 * it once they run.
 */
export function useOwnMariadb(options: OwnServer = {}): () => MariadbServer {
  return useOwn({ isThere: hasMariadb, start: startMariadb }, options);
}

/** Starts such a server of either product. */
export function useOwn<Server extends MysqlServer>(
  { isThere, start }: { isThere: () => boolean; start: (options: MysqlOptions) => Promise<Server> },
  { sql = '', ...options }: OwnServer = {},
): () => Server {
  let server: Server | undefined;
  beforeAll(async () => {
    if (!isThere()) return;
    server = await start(options);
    await server.client(sql);
  });
  afterAll(() => server?.stop());
  return () => {
    if (server === undefined) throw new Error('The server is not started yet.');
    return server;
  };
}
