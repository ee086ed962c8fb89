import type { DatabaseName } from '../scenarios.ts';
import type { BenchDatabase } from '../tables/bench-database.ts';

/** How many orders there are for each customer, on average. */
const ORDERS_OF_ONE = 10;

/** Columns of both tables whose types each database has. */
const CREATION = [
  `create table customers (
    id bigint not null primary key, name varchar(40) not null, level int not null
  )`,
  `create table orders (
    id bigint not null primary key, customer_id bigint not null, amount decimal(12, 2) not null,
    foreign key (customer_id) references customers (id)
  )`,
];

/** A query for the numbers from 1 on, as `n`. */
const NUMBERS: Readonly<Record<DatabaseName, (count: number) => string>> = {
  postgres: (count) => `select n from generate_series(1, ${count}) as s (n)`,
  mariadb: (count) => `select seq as n from seq_1_to_${count}`,
  sqlite: (count) =>
    `with recursive s (n) as (select 1 union all select n + 1 from s where n < ${count})
      select n from s`,
};

/** Makes orders that lead to customers, with an index of what leads there. */
export async function createShop(database: BenchDatabase, orders: number): Promise<void> {
  const numbers = NUMBERS[database.name];
  const customers = Math.max(1, Math.floor(orders / ORDERS_OF_ONE));
  const named = database.name === 'mariadb' ? "concat('customer ', n)" : "'customer ' || n";
  for (const statement of [
    ...CREATION,
    `insert into customers select n, ${named}, n % 100 from (${numbers(customers)}) as source`,
    `insert into orders
      select n, 1 + (n % ${customers}) * 7919 % ${customers}, (n % 1000000) * 31 % 1000000 / 100.0
      from (${numbers(orders)}) as source`,
    'create index orders_of on orders (customer_id)',
    'create index named on customers (name)',
    database.name === 'mariadb' ? 'analyze table orders, customers' : 'analyze',
  ])
    await database.run(statement);
}
