import { type ExposeSettings, Grant, type ModelGrant } from '@proj/engine';

import type { Fixture } from '../../fixtures/fixture.ts';

/**
 * Orders lead to customers and agents, customers to countries, regions by two columns and to each
 * other, countries to continents. Agents are led to by a code that no foreign key keeps whole.
 */
const TABLES = [
  'create table continents (id int not null primary key, name varchar(20) not null)',
  `create table countries (
    id int not null primary key, name varchar(20) not null, level int,
    continent_id int references continents (id)
  )`,
  `create table regions (
    country int not null, number int not null, name varchar(20), primary key (country, number)
  )`,
  `create table customers (
    id int not null primary key, name varchar(20), level int not null,
    country_id int, region_country int, region_number int, "referrerId" int,
    foreign key (country_id) references countries (id),
    foreign key (region_country, region_number) references regions (country, number),
    foreign key ("referrerId") references customers (id)
  )`,
  'create table agents (id int not null primary key, code varchar(20) unique, level int not null)',
  `create table orders (
    id int not null primary key, amount int, note varchar(20), customer_id int, agent_code varchar(20),
    foreign key (customer_id) references customers (id)
  )`,
  'create index orders_customer on orders (customer_id)',
];

/** Small numbers from a seed, the same on every machine. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

/** The values of so many rows, of which each has the number of its place. */
function valuesOf(count: number, row: (id: number) => string): string {
  return Array.from({ length: count }, (_, index) => `(${row(index + 1)})`).join(', ');
}

/** The rows of all tables, with NULL and, for agents, codes that nobody has. */
function rowsOf(seed: number): string[] {
  const below = random(seed);
  const some = (count: number, first = 1): string =>
    below(5) === 0 ? 'null' : String(first + below(count));
  const text = (count: number): string => (below(6) === 0 ? 'null' : `'t${below(count)}'`);
  return [
    `insert into continents values ${valuesOf(3, (id) => `${id}, 't${id}'`)}`,
    `insert into countries values ${valuesOf(8, (id) => `${id}, 't${below(4)}', ${some(5)}, ${some(3)}`)}`,
    `insert into regions values ${valuesOf(6, (id) => `${1 + (id % 3)}, ${id}, ${text(3)}`)}`,
    // DuckDB looks for keys among the rows of earlier statements.
    ...Array.from({ length: 20 }, (_, index) => {
      const id = index + 1;
      const region = below(4) === 0 ? undefined : 1 + below(6);
      const ends = region === undefined ? `${some(3)}, null` : `${1 + (region % 3)}, ${region}`;
      const referrer = id === 1 ? 'null' : some(id - 1);
      const values = `${id}, ${text(6)}, ${below(6)}, ${some(8)}, ${ends}, ${referrer}`;
      return `insert into customers values (${values})`;
    }),
    `insert into agents values ${valuesOf(6, (id) => `${id}, ${id === 6 ? 'null' : `'t${id}'`}, ${below(6)}`)}`,
    `insert into orders values ${valuesOf(80, (id) => `${id}, ${some(60)}, ${text(4)}, ${some(20)}, ${text(9)}`)}`,
  ];
}

/** Makes all tables with rows from a seed, and views of them. Returns the URL of the database. */
export async function createRelated(
  fixture: Fixture,
  seed: number,
  views: readonly string[],
): Promise<string> {
  const database = await fixture.create();
  const quoted = (sql: string): string =>
    fixture.family === 'MariaDB' ? sql.replaceAll('"', '`') : sql;
  await database.execute([...TABLES, ...rowsOf(seed), ...views].map(quoted));
  return database.url;
}

/** A path that requests may name, and the column of the oracle's view that shows the same. */
export interface PathColumn {
  readonly path: string;
  readonly column: string;
  readonly sql: string;
}

const JOINED = [
  ['customer.name', 'c.name'],
  ['customer.level', 'c.level'],
  ['customer.referrer.name', 'f.name'],
  ['customer.referrer.level', 'f.level'],
  ['customer.country.name', 'n.name'],
  ['customer.country.level', 'n.level'],
  ['customer.country.continent.name', 'k.name'],
  ['customer.regions.name', 'r.name'],
  ['agent.level', 'a.level'],
] as const;

/** The paths of orders, beside their own attributes. */
export const PATHS: readonly PathColumn[] = JOINED.map(([path, sql]) => ({
  path,
  sql,
  column: path.replaceAll('.', '_'),
}));

/** What a role sees of each model, as an SQL condition and as a row policy of the settings. */
export interface RolePolicies {
  readonly name: string;
  /** By the alias of the view's SQL. */
  readonly sql: Readonly<Record<string, string>>;
  readonly grant: Grant;
}

const ALL: ModelGrant = { attributes: 'all' };

function grantOf(policies: Readonly<Record<string, object>>): Grant {
  const tables = ['orders', 'customers', 'countries', 'regions', 'continents', 'agents'];
  const models = [...tables, ...Object.keys(VIEWS)];
  return new Grant(
    new Map(
      models.map((name): [string, ModelGrant] => {
        const rowPolicy = policies[name] as ModelGrant['rowPolicy'];
        return [name, rowPolicy === undefined ? ALL : { ...ALL, rowPolicy }];
      }),
    ),
  );
}

const VIEWS: ExposeSettings['models'] = {
  orders_all: { key: ['id'] },
  orders_low: { key: ['id'] },
  customers_all: { key: ['id'] },
  customers_low: { key: ['id'] },
};

const LOW = { attribute: 'level', op: 'lt', value: 4 };

export const ROLES: readonly RolePolicies[] = [
  { name: 'all', sql: {}, grant: grantOf({}) },
  {
    name: 'low',
    sql: { c: 'c.level < 4', f: 'f.level < 4', n: 'n.level < 4', a: 'a.level < 4', o: 'o.id > 5' },
    grant: grantOf({
      customers: LOW,
      countries: LOW,
      agents: LOW,
      orders: { attribute: 'id', op: 'gt', value: 5 },
    }),
  },
];

/** The view that an oracle reads: orders with the columns of all paths. */
export function ordersView({ name, sql }: RolePolicies): string {
  const and = (alias: string): string => (sql[alias] === undefined ? '' : ` and ${sql[alias]}`);
  const columns = PATHS.map(({ sql: value, column }) => `${value} as ${column}`).join(', ');
  return `create view orders_${name} as
    select o.id, o.amount, o.note, o.customer_id, o.agent_code, ${columns}
    from orders o
    left join customers c on c.id = o.customer_id${and('c')}
    left join customers f on f.id = c."referrerId"${and('f')}
    left join countries n on n.id = c.country_id${and('n')}
    left join continents k on k.id = n.continent_id
    left join regions r on r.country = c.region_country and r.number = c.region_number
    left join agents a on a.code = o.agent_code${and('a')}
    where 1 = 1${and('o')}`;
}

/** Filters on customers by what refers to them, and the column of the view that says the same. */
export const REFERRED = [
  { column: 'any_order', filter: { related: 'orders', some: {} } },
  {
    column: 'dear_order',
    filter: { related: 'orders', some: { attribute: 'amount', op: 'gt', value: 30 } },
  },
  {
    column: 'agent_order',
    filter: { related: 'orders', some: { attribute: 'agent.level', op: 'gte', value: 2 } },
  },
  {
    column: 'referred_order',
    filter: { related: 'customers', some: { related: 'orders', some: {} } },
  },
] as const;

export function customersView({ name, sql }: RolePolicies): string {
  const and = (alias: string, as = alias): string =>
    sql[alias] === undefined ? '' : ` and ${sql[alias].replaceAll(`${alias}.`, `${as}.`)}`;
  const orders = `select 1 from orders o
    left join agents a on a.code = o.agent_code${and('a')}
    where o.customer_id = c.id${and('o')}`;
  const reports = `select 1 from customers d where d."referrerId" = c.id${and('c', 'd')} and exists (
    select 1 from orders o where o.customer_id = d.id${and('o')}
  )`;
  const cases = [
    ['any_order', orders],
    ['dear_order', `${orders} and o.amount > 30`],
    ['agent_order', `${orders} and a.level >= 2`],
    ['referred_order', reports],
  ].map(
    ([column, rows]) => `cast(case when exists (${rows}) then 1 else 0 end as int) as ${column}`,
  );
  return `create view customers_${name} as
    select c.id, c.name, c.level, ${cases.join(', ')}
    from customers c where 1 = 1${and('c')}`;
}

/** The settings that declare what the database does not know. */
export const MODELS: ExposeSettings['models'] = {
  orders: {
    relations: { agent: { attributes: ['agent_code'], model: 'agents', key: ['code'] } },
  },
  ...VIEWS,
};
