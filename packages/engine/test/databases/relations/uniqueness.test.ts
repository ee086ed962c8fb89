import { describe, expect, it } from 'vitest';

import { type Engine, EVERYTHING, type ExposeSettings } from '../../../src/index.ts';
import { exported } from '../../exported.ts';
import { FIXTURES } from '../../fixtures/index.ts';
import { open } from '../../open.ts';

/** Tables whose model `orders` refers to `targets`, and the way to make them. */
interface Schema {
  readonly what: string;
  readonly sql: readonly string[];
  /** The end of what is said of the foreign key; undefined where it is a relation. */
  readonly why?: string;
  /** The settings, for what the database does not know. */
  readonly isDeclared?: boolean;
  readonly models?: ExposeSettings['models'];
}

const NOT_UNIQUE = 'no unique index of all rows has exactly the columns of the key';

const ORDERS = (type: string): string =>
  `create table orders (id int not null primary key, target_code ${type})`;
const THREE_ORDERS = "insert into orders values (1, 'a'), (2, 'b'), (3, null)";

const SCHEMAS: Readonly<Record<string, readonly Schema[]>> = {
  PostgreSQL: [
    {
      what: 'a table with a nullable unique column',
      sql: [
        'create table targets (id int primary key, code text unique, name text)',
        ORDERS('text references targets (code)'),
        "insert into targets values (1, 'a', 'A'), (2, 'b', 'B'), (3, null, 'none')",
        THREE_ORDERS,
      ],
    },
    {
      what: 'a table from which another one inherits',
      sql: [
        'create table targets (id int primary key, code text unique, name text)',
        'create table more_targets () inherits (targets)',
        ORDERS('text references targets (code)'),
        "insert into targets values (1, 'a', 'A'), (2, 'b', 'B')",
        "insert into more_targets values (8, 'a', 'again'), (9, 'a', 'again')",
        THREE_ORDERS,
      ],
      why: NOT_UNIQUE,
      models: { targets: { key: ['id'] } },
    },
    {
      what: 'a key that is checked only at the end of a transaction',
      sql: [
        'create table targets (id int primary key, code text unique deferrable, name text)',
        ORDERS('text'),
        "insert into targets values (1, 'a', 'A'), (2, 'b', 'B')",
        THREE_ORDERS,
      ],
      why: NOT_UNIQUE,
      isDeclared: true,
    },
    {
      what: 'a unique index of some rows',
      sql: [
        'create table targets (id int primary key, code text, name text)',
        'create unique index some_targets on targets (code) where id > 1',
        ORDERS('text'),
        "insert into targets values (1, 'a', 'A'), (2, 'b', 'B'), (0, 'a', 'again')",
        THREE_ORDERS,
      ],
      why: NOT_UNIQUE,
      isDeclared: true,
    },
    {
      what: 'a unique index of an expression',
      sql: [
        'create table targets (id int primary key, code text, name text)',
        'create unique index lower_targets on targets (lower(code))',
        ORDERS('text'),
        "insert into targets values (1, 'a', 'A'), (2, 'b', 'B')",
        THREE_ORDERS,
      ],
      why: NOT_UNIQUE,
      isDeclared: true,
    },
    {
      what: 'a table in partitions',
      sql: [
        'create table targets (code text primary key, name text) partition by list (code)',
        "create table targets_a partition of targets for values in ('a')",
        'create table targets_b partition of targets default',
        ORDERS('text references targets (code)'),
        "insert into targets values ('a', 'A'), ('b', 'B')",
        THREE_ORDERS,
      ],
    },
    {
      what: 'a case-insensitive key',
      sql: [
        'create extension if not exists citext',
        'create table targets (code citext primary key, name text)',
        ORDERS('citext references targets (code)'),
        "insert into targets values ('A', 'A'), ('b', 'B')",
        THREE_ORDERS,
      ],
    },
    {
      what: 'a key of another type, without a foreign key that was checked',
      sql: [
        'create table targets (code varchar(9) primary key, name text)',
        ORDERS('text'),
        "insert into orders values (4, 'nowhere')",
        'alter table orders add foreign key (target_code) references targets (code) not valid',
        "insert into targets values ('a', 'A'), ('b', 'B')",
        THREE_ORDERS,
      ],
    },
  ],
  MariaDB: [
    {
      what: 'a key that is not unique',
      sql: [
        'create table targets (id int primary key, code varchar(9), name varchar(9), key (code))',
        'create table orders (id int primary key, target_code varchar(9), foreign key (target_code) references targets (code))',
        "insert into targets values (1, 'a', 'A'), (2, 'b', 'B'), (3, 'a', 'again')",
        THREE_ORDERS,
      ],
      why: NOT_UNIQUE,
    },
    {
      what: 'a unique index of the beginning of a text',
      sql: [
        'create table targets (id int primary key, code varchar(9), name varchar(9), unique (code(1)))',
        ORDERS('varchar(9)'),
        "insert into targets values (1, 'a', 'A'), (2, 'b', 'B')",
        THREE_ORDERS,
      ],
      why: NOT_UNIQUE,
      isDeclared: true,
    },
    {
      what: 'texts that a collation finds equal',
      sql: [
        'create table targets (code varchar(9) primary key, name varchar(9))',
        'create table orders (id int primary key, target_code varchar(9), foreign key (target_code) references targets (code))',
        "insert into targets values ('A', 'A'), ('b', 'B')",
        THREE_ORDERS,
      ],
    },
    {
      what: 'a nullable unique column',
      sql: [
        'create table targets (id int primary key, code varchar(9) unique, name varchar(9))',
        'create table orders (id int primary key, target_code varchar(9), foreign key (target_code) references targets (code))',
        "insert into targets values (1, 'a', 'A'), (2, 'b', 'B'), (3, null, 'none'), (4, null, 'n')",
        THREE_ORDERS,
      ],
    },
  ],
  SQLite: [
    {
      what: 'a column that is not unique',
      sql: [
        'create table targets (id integer primary key, code text, name text)',
        ORDERS('text references targets (code)'),
        'pragma foreign_keys = off',
        "insert into targets values (1, 'a', 'A'), (2, 'b', 'B'), (3, 'a', 'again')",
        THREE_ORDERS,
      ],
      why: NOT_UNIQUE,
    },
    {
      what: 'a unique index of some rows',
      sql: [
        'create table targets (id integer primary key, code text, name text)',
        'create unique index some_targets on targets (code) where id > 1',
        ORDERS('text references targets (code)'),
        'pragma foreign_keys = off',
        "insert into targets values (1, 'a', 'A'), (2, 'b', 'B'), (0, 'a', 'again')",
        THREE_ORDERS,
      ],
      why: NOT_UNIQUE,
    },
    {
      what: 'a key with a collation that ignores case',
      sql: [
        'create table targets (code text collate nocase primary key, name text) without rowid',
        ORDERS('text references targets (code)'),
        "insert into targets values ('A', 'A'), ('b', 'B')",
        THREE_ORDERS,
      ],
    },
    {
      what: 'a unique index with another collation than that of its column',
      sql: [
        'create table targets (id integer primary key, code text collate nocase, name text)',
        'create unique index exact_targets on targets (code collate binary)',
        ORDERS('text'),
        "insert into targets values (1, 'a', 'A'), (2, 'b', 'B'), (3, 'A', 'other')",
        THREE_ORDERS,
      ],
      isDeclared: true,
    },
  ],
};

/** Why the reference of orders is no relation, by whichever way the engine says it. */
function reasonIn({ foreignKeys, reports }: Engine): string | undefined {
  const [found] = foreignKeys;
  return found?.why ?? reports.find(({ path }) => path[2] === 'relations')?.problem;
}

describe.each(FIXTURES)('a reference on $name to', (fixture) => {
  const declared = { attributes: ['target_code'], model: 'targets', key: ['code'] };

  async function opened(schema: Schema): Promise<Engine> {
    const { sql, isDeclared = false } = schema;
    const database = await fixture.create();
    await database.execute(sql);
    const orders = isDeclared ? { relations: { target_code: declared } } : {};
    return open(database.url, { models: { orders, ...schema.models } });
  }

  const schemas = SCHEMAS[fixture.name] ?? [];
  const [none, one] = [
    schemas.filter(({ why }) => why !== undefined),
    schemas.filter(({ why }) => why === undefined),
  ];

  it.each(none)('$what is no relation', async (schema) => {
    const engine = await opened(schema);
    expect(reasonIn(engine)).toContain(schema.why);
    const asked = { query_model: 'orders', query_attributes: ['target_code.name'] };
    const query = async () => engine.query({ ...asked, page: { page: 1, size: 9 } }, EVERYTHING);
    await expect(query()).rejects.toMatchObject({ errors: [{ code: 'unknown_attribute' }] });
  });

  it.each(one)('$what leads to one record at most', async (schema) => {
    const engine = await opened(schema);
    expect(reasonIn(engine)).toBeUndefined();
    const attributes = ['id', 'target_code.name'];
    const { records } = await exported(engine, { model: 'orders', attributes });
    const names = records.map((record) => record['target_code.name']);
    expect(names.slice(0, 3)).toEqual(['A', 'B', null]);
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
    const body = { query_model: 'orders', query_attributes: attributes };
    const { page } = await engine.query({ ...body, page: { page: 1, size: 9 } }, EVERYTHING);
    expect(Number(page.total)).toBe(records.length);
  });
});
