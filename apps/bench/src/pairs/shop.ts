import type { DatabaseName } from '../databases/database.ts';
import type { BenchDatabase } from '../databases/open.ts';
import { PRODUCTS } from '../databases/products.ts';

/** How many orders there are for each customer, on average. */
const ORDERS_OF_ONE = 10;

/** What the databases call differently. */
interface Words {
  readonly json: string;
  readonly instant: string;
  /** A text with the number `n` within. */
  readonly written: (before: string, after?: string) => string;
  /** The instant that is `n` minutes after another. */
  readonly minutes: string;
  /** An expression as an index has it that serves the text of `details.code`; not of MariaDB. */
  readonly place?: string;
  /** What an index has that serves names in any letter case, where another does not. */
  readonly anyCase?: string;
  readonly analyze: string;
}

const WORDS: Readonly<Record<DatabaseName, Words>> = {
  postgres: {
    json: 'jsonb',
    instant: 'timestamptz',
    written: around,
    minutes: "timestamptz '2020-01-01 00:00Z' + n * interval '1 minute'",
    place: `case when jsonb_typeof((details -> 'code')) = 'string'
      then ((details -> 'code') #>> '{}') end`,
    anyCase: 'lower(name)',
    analyze: 'analyze',
  },
  mariadb: {
    json: 'json',
    instant: 'timestamp',
    written: (before, after = '') => `concat('${before}', n, '${after}')`,
    minutes: "timestamp '2020-01-02 00:00' + interval n minute",
    analyze: 'analyze table orders, customers',
  },
  sqlite: {
    json: 'json',
    instant: 'text',
    written: around,
    minutes: "strftime('%Y-%m-%dT%H:%M:%SZ', 1577836800 + n * 60, 'unixepoch')",
    place: `case when json_valid(details) then case when json_type(details, '$."code"') = 'text'
      then json_extract(details, '$."code"') end end`,
    anyCase: 'name collate nocase',
    analyze: 'analyze',
  },
};

function around(before: string, after = ''): string {
  return `'${before}' || n || '${after}'`;
}

/** What SQLite cannot tell of its columns is said. */
export function shopModels(database: DatabaseName): Record<string, object> {
  const isSqlite = database === 'sqlite';
  const customers = {
    ...Object.fromEntries(['id', 'name', 'level'].map((name) => [name, {}])),
    details: isSqlite ? { type: 'json' } : {},
    code: { json: 'details', path: ['code'], type: 'text' },
  };
  const orders = {
    ...Object.fromEntries(['id', 'customer_id', 'amount'].map((name) => [name, {}])),
    placed_at: isSqlite ? { type: 'timestamp_tz' } : {},
  };
  return { customers: { attributes: customers }, orders: { attributes: orders } };
}

/** Makes orders that lead to customers, with an index of what leads there. */
export async function createShop(database: BenchDatabase, orders: number): Promise<void> {
  const { json, instant, written, minutes, place, anyCase, analyze } = WORDS[database.name];
  const { numbers } = PRODUCTS[database.name];
  const customers = Math.max(1, Math.floor(orders / ORDERS_OF_ONE));
  const document = written('{"code": "c', '"}');
  const documents = database.name === 'postgres' ? `(${document})::jsonb` : document;
  for (const statement of [
    `create table customers (
      id bigint not null primary key, name varchar(40) not null, level int not null,
      details ${json}
    )`,
    `create table orders (
      id bigint not null primary key, customer_id bigint not null, amount decimal(12, 2) not null,
      placed_at ${instant} not null, foreign key (customer_id) references customers (id)
    )`,
    `insert into customers select n, ${written('customer ')}, n % 100, ${documents}
      from (${numbers(customers)}) as source`,
    `insert into orders
      select n, 1 + (n % ${customers}) * 7919 % ${customers}, (n % 1000000) * 31 % 1000000 / 100.0,
        ${minutes} from (${numbers(orders)}) as source`,
    'create index orders_of on orders (customer_id)',
    'create index named on customers (name)',
    ...(place === undefined ? [] : [`create index coded on customers ((${place}))`]),
    ...(anyCase === undefined ? [] : [`create index in_any_case on customers (${anyCase})`]),
    analyze,
  ])
    await database.run(statement);
}
