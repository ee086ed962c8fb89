import { type Engine, EVERYTHING, type ExposeSettings } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { exported } from '../../exported.ts';
import { fixturesOf } from '../../fixtures/index.ts';
import { open } from '../../open.ts';

const FIXTURES = fixturesOf(import.meta.filename);

/** Tables whose model `orders` refers to `targets`. */
interface Schema {
  readonly what: string;
  /** The columns of the targets, and what comes behind them. */
  readonly targets: string;
  /** The type of the column that refers, with its foreign key. */
  readonly reference: string;
  /** What is between the tables and their rows. */
  readonly between?: readonly string[];
  /** The rows of the targets. */
  readonly rows?: string;
  /** The end of what is said of the foreign key; undefined where it is a relation. */
  readonly why?: string;
  /** The settings, for what the database does not know. */
  readonly isDeclared?: boolean;
  readonly models?: ExposeSettings['models'];
}

const NOT_UNIQUE = 'no unique index of all rows has exactly the columns of the key';

const PLAIN = '(id int primary key, code text, name text)';
const UNIQUE = '(id int primary key, code text unique, name text)';
const TWO = "(1, 'a', 'A'), (2, 'b', 'B')";
const KEYED = "('a', 'A'), ('b', 'B')";
const IN_CAPITALS = "('A', 'A'), ('b', 'B')";
const DECLARED = { reference: 'text', why: NOT_UNIQUE, isDeclared: true };
const TO_CODE = 'text references targets (code)';
/** Of MariaDB, which keeps foreign keys only where they are not said of a column. */
const TO_VARCHAR = 'varchar(9), foreign key (target_code) references targets (code)';
const UNCHECKED = 'pragma foreign_keys = off';

const NULLABLE: Schema = {
  what: 'a table with a nullable unique column',
  targets: UNIQUE,
  reference: TO_CODE,
  rows: `${TWO}, (3, null, 'none')`,
};

const SCHEMAS: Readonly<Record<string, readonly Schema[]>> = {
  DuckDB: [
    NULLABLE,
    {
      ...DECLARED,
      what: 'a unique index of an expression',
      targets: PLAIN,
      between: ['create unique index some_targets on targets ((lower(code)))'],
    },
  ],
  PostgreSQL: [
    NULLABLE,
    {
      what: 'a table from which another one inherits',
      targets: UNIQUE,
      reference: TO_CODE,
      between: [
        'create table more_targets () inherits (targets)',
        "insert into more_targets values (8, 'a', 'again'), (9, 'a', 'again')",
      ],
      why: NOT_UNIQUE,
      models: { targets: { key: ['id'] } },
    },
    {
      ...DECLARED,
      what: 'a key that is checked only at the end of a transaction',
      targets: '(id int primary key, code text unique deferrable, name text)',
    },
    {
      ...DECLARED,
      what: 'a unique index of some rows',
      targets: PLAIN,
      between: ['create unique index some_targets on targets (code) where id > 1'],
      rows: `${TWO}, (0, 'a', 'again')`,
    },
    {
      ...DECLARED,
      what: 'a unique index of an expression',
      targets: PLAIN,
      between: ['create unique index lower_targets on targets (lower(code))'],
    },
    {
      what: 'a table in partitions',
      targets: '(code text primary key, name text) partition by list (code)',
      reference: TO_CODE,
      between: [
        "create table targets_a partition of targets for values in ('a')",
        'create table targets_b partition of targets default',
      ],
      rows: KEYED,
    },
    {
      what: 'a case-insensitive key',
      targets: '(code citext primary key, name text)',
      reference: 'citext references targets (code)',
      rows: IN_CAPITALS,
    },
    {
      what: 'a key of another type, without a foreign key that was checked',
      targets: '(code varchar(9) primary key, name text)',
      reference: 'text',
      between: [
        "insert into orders values (4, 'nowhere')",
        'alter table orders add foreign key (target_code) references targets (code) not valid',
      ],
      rows: KEYED,
    },
  ],
  MariaDB: [
    {
      what: 'a key that is not unique',
      targets: '(id int primary key, code varchar(9), name varchar(9), key (code))',
      reference: TO_VARCHAR,
      rows: `${TWO}, (3, 'a', 'again')`,
      why: NOT_UNIQUE,
    },
    {
      ...DECLARED,
      what: 'a unique index of the beginning of a text',
      targets: '(id int primary key, code varchar(9), name varchar(9), unique (code(1)))',
      reference: 'varchar(9)',
    },
    {
      what: 'texts that a collation finds equal',
      targets: '(code varchar(9) primary key, name varchar(9))',
      reference: TO_VARCHAR,
      rows: IN_CAPITALS,
    },
    {
      what: 'a nullable unique column',
      targets: '(id int primary key, code varchar(9) unique, name varchar(9))',
      reference: TO_VARCHAR,
      rows: `${TWO}, (3, null, 'none'), (4, null, 'n')`,
    },
  ],
  SQLite: [
    {
      what: 'a column that is not unique',
      targets: PLAIN,
      reference: TO_CODE,
      between: [UNCHECKED],
      rows: `${TWO}, (3, 'a', 'again')`,
      why: NOT_UNIQUE,
    },
    {
      what: 'a unique index of some rows',
      targets: PLAIN,
      reference: TO_CODE,
      between: ['create unique index some_targets on targets (code) where id > 1', UNCHECKED],
      rows: `${TWO}, (0, 'a', 'again')`,
      why: NOT_UNIQUE,
    },
    {
      what: 'a key with a collation that ignores case',
      targets: '(code text collate nocase primary key, name text) without rowid',
      reference: TO_CODE,
      rows: IN_CAPITALS,
    },
    {
      what: 'a unique index with another collation than that of its column',
      targets: '(id integer primary key, code text collate nocase, name text)',
      reference: 'text',
      between: ['create unique index exact_targets on targets (code collate binary)'],
      rows: `${TWO}, (3, 'A', 'other')`,
      isDeclared: true,
    },
  ],
};

/** The way to make the tables, of which the third order has no target. */
function statementsOf({ targets, reference, between = [], rows = TWO }: Schema): string[] {
  return [
    `create table targets ${targets}`,
    `create table orders (id int not null primary key, target_code ${reference})`,
    ...between,
    `insert into targets values ${rows}`,
    "insert into orders values (1, 'a'), (2, 'b'), (3, null)",
  ];
}

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
    await database.execute([
      ...(fixture.family === 'PostgreSQL' ? ['create extension if not exists citext'] : []),
      ...schemas.flatMap((schema) =>
        statementsOf(schema).map((statement) => numbered(statement, schema.place)),
      ),
    ]);
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
