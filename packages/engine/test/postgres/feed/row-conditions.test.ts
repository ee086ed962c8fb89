import { type Filter, operatorsOf, type Operator, OPERATORS } from '@proj/contract';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { buildCatalogue } from '../../../src/catalogue/build/build.ts';
import type { Model } from '../../../src/catalogue/model.ts';
import type { Condition } from '../../../src/planning/condition.ts';
import { plainNames } from '../../../src/planning/meaning.ts';
import { planFilter } from '../../../src/planning/plan-filter.ts';
import { postgresDialect } from '../../../src/sources/postgres/dialect.ts';
import {
  readChangeMessage,
  type RowValues,
} from '../../../src/sources/postgres/feed/protocol/pgoutput.ts';
import {
  type RelationSchema,
  schemaOf,
  schemaStatement,
} from '../../../src/sources/postgres/feed/relations/relation-schema.ts';
import { RowCondition } from '../../../src/sources/postgres/feed/changes/row-condition.ts';
import { STATEMENT_SETTINGS } from '../../../src/sources/postgres/connection/session.ts';
import { openPostgres } from '../../../src/sources/postgres/source.ts';
import { compileCondition } from '../../../src/sql/clauses/condition.ts';
import { compile } from '../../../src/sql/compile/compile.ts';
import { describePostgres, usePostgres } from '../server.ts';

/** What a column holds, and what it is compared with: as SQL takes it, and as a filter does. */
interface ColumnFacts {
  readonly type: string;
  readonly values: readonly (readonly [stored: string, sent: unknown])[];
}

const same = (...values: string[]): ColumnFacts['values'] => values.map((value) => [value, value]);

const INTEGERS = same('0', '1', '-1', '7', '32767', '-32768');

/** Columns that Node decides on, with the values at which it could go wrong. */
const DECIDED: Readonly<Record<string, ColumnFacts>> = {
  small: { type: 'smallint', values: INTEGERS },
  int: { type: 'integer', values: [...INTEGERS, ...same('2147483647', '-2147483648')] },
  big: {
    type: 'bigint',
    values: [
      ...INTEGERS,
      ...same('9007199254740991', '9007199254740992', '9007199254740993', '-9007199254740993'),
      ...same('9223372036854775807', '-9223372036854775808'),
    ],
  },
  truth: {
    type: 'boolean',
    values: [
      ['true', true],
      ['false', false],
    ],
  },
  id: {
    type: 'uuid',
    values: [
      ['7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11', '7C1D9A52-6f0e-4d6a-9a62-5f2f4c0e8b11'],
      ...same('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
      ...same('7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b12', '9c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b12'),
    ],
  },
  day: {
    type: 'date',
    values: same('infinity', '-infinity', '0001-01-01', '1999-12-31', '2024-02-29', '9999-12-31'),
  },
  moment: {
    type: 'timestamp',
    values: [
      ...same('infinity', '-infinity', '0001-01-01T00:00:00', '2024-02-29T23:59:59'),
      ...same('2024-02-29T23:59:59.5', '2024-02-29T23:59:59.500001', '2024-02-29T23:59:59.45'),
      ['2024-02-29 23:59:59.5', '2024-02-29T23:59:59.500000'],
      ['2024-02-29 23:59:59', '2024-02-29T23:59:59.0'],
      ...same('9999-12-31T23:59:59.999999'),
    ],
  },
  rounded: { type: 'timestamp(0)', values: same('2024-02-29T23:59:59', '2024-02-29T23:59:59.5') },
  instant: {
    type: 'timestamptz',
    values: [
      ...same('infinity', '-infinity', '2024-02-29T23:59:59Z', '2024-02-29T23:59:59.5Z'),
      ...same('2024-03-01T01:29:59.5+01:30', '2024-02-29T18:59:59-05:00', '0001-01-01T00:00:00Z'),
      ...same('2024-02-29T23:59:59.45Z', '2024-02-29T23:59:59.050Z'),
    ],
  },
  bytes: {
    type: 'bytea',
    values: [
      ['\\x', ''],
      ['\\x00', 'AA=='],
      ['\\x0001', 'AAE='],
      ['\\xff', '/w=='],
      ['\\xff00', '/wA='],
      ['\\xfe', '/v=='],
    ],
  },
  word: {
    type: 'text',
    values: same(
      '',
      'a',
      'A',
      'a ',
      'ä',
      'a\u0308',
      'true',
      'null',
      'é',
      'e\u0301',
      '𝄞',
      '%',
      '\\',
    ),
  },
  short: { type: 'varchar(3)', values: same('', 'a', 'a ', 'abc', 'ABC') },
  mood: { type: 'mood', values: same('happy', 'ok', 'Happy') },
};

/** Columns that are the database's to decide on. */
const LEFT: Readonly<Record<string, ColumnFacts>> = {
  amount: { type: 'numeric', values: same('1', '1.0', '2.5') },
  real: {
    type: 'float8',
    values: [
      ['1', 1],
      ['2.5', 2.5],
    ],
  },
  padded: { type: 'char(3)', values: same('a', 'b') },
  caseless: { type: 'text collate caseless', values: same('a', 'A', 'b') },
  clock: { type: 'time', values: same('12:00:00', '12:00:00.5') },
  money: { type: 'money', values: same('1.00', '2.50') },
  whole: { type: 'whole', values: same('1', '2') },
};

const COLUMNS = { ...DECIDED, ...LEFT };
const NAMES = Object.keys(COLUMNS);

const SQL = `
  create type mood as enum ('happy', 'ok', 'Happy');
  create domain whole as integer;
  create collation caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
  create table t (n int primary key, ${Object.entries(COLUMNS)
    .map(([name, { type }]) => `"${name}" ${type}`)
    .join(', ')}, pair point, stored int generated always as (n + 1) stored);
  alter table t replica identity full;
  create publication p for table t;
  select pg_create_logical_replication_slot('s', 'pgoutput')`;

const ROWS = 300;

describePostgres('whether a row of the change log meets a condition', () => {
  const postgres = usePostgres({ settings: { wal_level: 'logical' }, sql: SQL });
  let client: Client;
  let model: Model;
  let schema: RelationSchema;
  let rows: readonly RowValues[];

  beforeAll(async () => {
    client = new Client({ connectionString: postgres().url });
    await client.connect();
    for (const [name, value] of STATEMENT_SETTINGS) await client.query(`set ${name} = '${value}'`);
    await insertRows();
    rows = await readRows();
    model = await readModel(postgres().url);
    const { sql: text, parameters } = schemaStatement(['public', 't'], 'p');
    const found = await client.query({ text, values: [...parameters], rowMode: 'array' });
    schema = schemaOf(found.rows[0] as string[]) as RelationSchema;
  });
  afterAll(() => client.end());

  async function insertRows(): Promise<void> {
    const stored = Object.values(COLUMNS).map(({ values }) =>
      fc.option(fc.constantFrom(...values.map(([value]) => value)), { freq: 5 }),
    );
    const list = NAMES.map((name) => `"${name}"`).join(', ');
    const places = NAMES.map((_, index) => `$${index + 2}`).join(', ');
    for (const [n, row] of fc.sample(fc.tuple(...stored), ROWS).entries())
      await client.query(`insert into t (n, ${list}) values ($1, ${places})`, [n, ...row]);
  }

  /** The rows as the change log brings them. */
  async function readRows(): Promise<readonly RowValues[]> {
    const { rows: messages } = await client.query<{ data: Buffer }>(
      `select data from pg_logical_slot_peek_binary_changes('s', null, null,
        'proto_version', '1', 'publication_names', 'p')`,
    );
    return messages.flatMap(({ data }) => {
      const message = readChangeMessage(data);
      return message.kind === 'insert' ? message.row : [];
    });
  }

  /** The numbers of the rows for which the database's own statement holds. */
  async function keptByDatabase(condition: Condition): Promise<number[]> {
    const where = compileCondition(condition, postgresDialect);
    const statement = compile(sql`select n from t where ${where} order by n`, postgresDialect);
    const found = await client.query<{ n: number }>(statement.sql, [...statement.parameters]);
    return found.rows.map(({ n }) => n);
  }

  function keptByNode(condition: RowCondition): (number | string)[] {
    const names = ['n', ...NAMES];
    return rows.flatMap<number | string>((row, n) => {
      const isMet = condition.isMet((place) =>
        row.text(names.indexOf(condition.columns[place] ?? '')),
      );
      if (isMet === undefined) return [`row ${n} is not decided`];
      return isMet ? [n] : [];
    });
  }

  function conditionOf(filter: Filter): Condition {
    const { condition, errors } = planFilter(filter, plainNames(model));
    expect(errors).toEqual([]);
    return condition as Condition;
  }

  it.each(Object.keys(DECIDED))(
    'is what PostgreSQL says of %s',
    { timeout: 60_000 },
    async (name) => {
      expect(rows).toHaveLength(ROWS);
      let decided = 0;
      await fc.assert(
        fc.asyncProperty(filterOf(name, model), async (filter) => {
          const condition = conditionOf(filter);
          const rule = RowCondition.of(condition, schema);
          if (rule === undefined) return;
          decided += 1;
          expect(keptByNode(rule)).toEqual(await keptByDatabase(condition));
        }),
        { numRuns: 150 },
      );
      expect(decided).toBeGreaterThan(40);
    },
  );

  it('is what PostgreSQL says of any parts together', { timeout: 60_000 }, async () => {
    const part = fc.constantFrom(...Object.keys(DECIDED)).chain((name) => filterOf(name, model));
    const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
      filter: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        part,
        fc.record({ not: tie('filter') }),
        fc.record({ and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
      ),
    }));
    let decided = 0;
    await fc.assert(
      fc.asyncProperty(filter, async (whole) => {
        const condition = conditionOf(whole);
        const rule = RowCondition.of(condition, schema);
        if (rule === undefined) return;
        decided += 1;
        expect(keptByNode(rule)).toEqual(await keptByDatabase(condition));
      }),
      { numRuns: 400 },
    );
    expect(decided).toBeGreaterThan(80);
  });

  it.each([
    ...Object.keys(LEFT).map((name) => ({
      attribute: name,
      op: 'eq',
      value: COLUMNS[name]?.values[0]?.[1],
    })),
    ...['lt', 'contains', 'icontains'].map((op) => ({ attribute: 'word', op, value: 'a' })),
    { attribute: 'word', op: 'eq', value: '\u{FFFD}' },
    { attribute: 'day', op: 'lt', value: '12024-01-01' },
    { attribute: 'moment', op: 'lt', value: '0044-03-15T00:00:00 BC' },
    { attribute: 'instant', op: 'eq', value: '0044-03-15T00:00:00Z BC' },
    { attribute: 'pair', op: 'is_null', value: true },
    { attribute: 'stored', op: 'eq', value: 1 },
  ])('is left to PostgreSQL where the filter is $attribute $op $value', (filter) => {
    expect(RowCondition.of(conditionOf(filter as Filter), schema)).toBeUndefined();
  });

  it('is left to PostgreSQL where the model is older than the column', () => {
    const condition = conditionOf({ attribute: 'int', op: 'eq', value: 1 });
    const columns = schema.columns.map((column) =>
      column.name === 'int' ? { ...column, type: 'bigint' } : column,
    );
    expect(RowCondition.of(condition, { ...schema, columns })).toBeUndefined();
    expect(RowCondition.of(condition, { ...schema, columns: [] })).toBeUndefined();
  });

  it('is left to PostgreSQL where its texts are in another encoding', () => {
    const other = { ...schema, isUnicode: false };
    const filters = ['word', 'mood'].map((attribute) => ({ attribute, op: 'eq', value: 'ok' }));
    const conditions = filters.map((filter) => conditionOf(filter as Filter));
    expect(conditions.map((condition) => RowCondition.of(condition, other))).toEqual([
      undefined,
      undefined,
    ]);
  });
});

async function readModel(url: string): Promise<Model> {
  const source = await openPostgres(url);
  try {
    const exposed = { expose: 'all', models: {}, maxPageSize: 10 } as const;
    return buildCatalogue(await source.introspect(), exposed).catalogue.get('t') as Model;
  } finally {
    await source.close();
  }
}

/** Any filter of an attribute. */
function filterOf(name: string, { attributes }: Model): fc.Arbitrary<Filter> {
  const type = attributes.get(name)?.type ?? 'other';
  const value = fc.constantFrom(...(COLUMNS[name]?.values ?? []).map(([, sent]) => sent));
  return fc
    .constantFrom(
      ...operatorsOf(type).filter((op) => !op.includes('contains') && !op.includes('with')),
    )
    .chain((op) =>
      operandOf(op, value).map((operand) => ({ attribute: name, op, value: operand })),
    );
}

function operandOf(op: Operator, value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  switch (OPERATORS[op].operand) {
    case 'truth':
      return fc.boolean();
    case 'list':
      return fc.array(value, { minLength: 1, maxLength: 4 });
    case 'pair':
      return fc.tuple(value, value);
    case 'value_or_null':
      return fc.option(value);
    default:
      return value;
  }
}
