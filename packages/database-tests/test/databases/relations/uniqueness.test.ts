import { type Engine, EVERYTHING, type ExposeSettings } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { exported } from '../../exported.ts';
import { fixturesOf } from '../../fixtures/index.ts';
import { open } from '../../open.ts';

const FIXTURES = fixturesOf(import.meta.filename);

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
  DuckDB: [
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
      what: 'a unique index of an expression',
      sql: [
        'create table targets (id int primary key, code text, name text)',
        'create unique index some_targets on targets ((lower(code)))',
        ORDERS('text'),
        "insert into targets values (1, 'a', 'A'), (2, 'b', 'B')",
        THREE_ORDERS,
      ],
      why: NOT_UNIQUE,
      isDeclared: true,
    },
  ],
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

/** The statement, or the name of a model, with names of its own for the tables of a schema. */
function numbered(text: string, place: number): string {
  return text.replaceAll(/\b(orders|targets)\b/g, `$1_${place}`);
}

/** The settings of the models of a schema. */
function settingsOf({ isDeclared = false, models = {} }: Schema, place: number) {
  const target_code = {
    attributes: ['target_code'],
    model: numbered('targets', place),
    key: ['code'],
  };
  const orders = isDeclared ? { relations: { target_code } } : {};
  return Object.entries({ orders, ...models }).map(
    ([name, settings]) => [numbered(name, place), settings] as const,
  );
}

describe.each(FIXTURES)('a reference on $name to', (fixture) => {
  const schemas = (SCHEMAS[fixture.family] ?? []).map((schema, place) => ({ ...schema, place }));
  let engine: Engine;

  beforeAll(async () => {
    const database = await fixture.create();
    await database.execute(
      schemas.flatMap(({ sql, place }) => sql.map((statement) => numbered(statement, place))),
    );
    const models = schemas.flatMap((schema) => settingsOf(schema, schema.place));
    engine = await open(database.url, { models: Object.fromEntries(models) });
  });

  /** Why the reference is no relation, by whichever way the engine says it. */
  function reasonFor(model: string): string | undefined {
    const found = engine.foreignKeys.find((one) => one.model === model);
    const report = engine.reports.find((one) => one.model === model && one.path[2] === 'relations');
    return found?.why ?? report?.problem;
  }

  it.each(schemas.filter(({ why }) => why !== undefined))(
    '$what is no relation',
    async ({ place, why }) => {
      const model = numbered('orders', place);
      expect(reasonFor(model)).toContain(why);
      const asked = { query_model: model, query_attributes: ['target_code.name'] };
      const query = async () => engine.query({ ...asked, page: { page: 1, size: 9 } }, EVERYTHING);
      await expect(query()).rejects.toMatchObject({ errors: [{ code: 'unknown_attribute' }] });
    },
  );

  it.each(schemas.filter(({ why }) => why === undefined))(
    '$what leads to one record at most',
    async ({ place }) => {
      const model = numbered('orders', place);
      expect(reasonFor(model)).toBeUndefined();
      const attributes = ['id', 'target_code.name'];
      const { records } = await exported(engine, { model, attributes });
      const names = records.map((record) => record['target_code.name']);
      expect(names.slice(0, 3)).toEqual(['A', 'B', null]);
      expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
      const body = { query_model: model, query_attributes: attributes };
      const { page } = await engine.query({ ...body, page: { page: 1, size: 9 } }, EVERYTHING);
      expect(Number(page.total)).toBe(records.length);
    },
  );
});
