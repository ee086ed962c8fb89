import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeRelease, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import type { Fixture, FixtureDatabase } from '../fixtures/fixture.ts';
import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';
import { bodyOf } from './everywhere.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const REQUESTS = Number(process.env['ORACLE_REQUESTS'] ?? (beforeRelease ? 500 : 100));

type Value = string | number | boolean;
type Leaf = { readonly attribute: string; readonly op: string; readonly value: Value | Value[] };
type Filter =
  | Leaf
  | { readonly and: readonly Filter[] }
  | { readonly or: readonly Filter[] }
  | { readonly not: Filter };

const WORDS = ['a', 'A', '', 'a ', "it's", '\\', '"', '%', '東京', '1', 'true'];
const NUMBERS = [0, 1, -1, 2.5, 1000000];
const JSON_VALUES: readonly Value[] = [...WORDS, ...NUMBERS, true, false];

/** An attribute: its type on PostgreSQL, and the values of its elements. */
interface Held {
  readonly type: string;
  readonly values: readonly Value[];
}

const DOCUMENTS: Readonly<Record<string, Held>> = { doc: { type: 'json', values: JSON_VALUES } };
const ARRAYS: Readonly<Record<string, Held>> = {
  docb: { type: 'jsonb', values: JSON_VALUES },
  words: { type: 'text[]', values: WORDS },
  chars: { type: 'varchar(5)[]', values: WORDS },
  numbers: { type: 'int[]', values: [0, 1, -1, 5] },
  prices: { type: 'numeric(9, 2)[]', values: ['0', '1', '2.50', '-1'] },
  flags: { type: 'boolean[]', values: [true, false] },
  moods: { type: 'mood[]', values: ['happy', 'ok', 'sad'] },
  days: { type: 'date[]', values: ['2026-01-31', 'infinity'] },
};

function heldOf({ family }: Fixture): Readonly<Record<string, Held>> {
  return family === 'PostgreSQL' ? { ...DOCUMENTS, ...ARRAYS } : DOCUMENTS;
}

function anyFilter(held: Readonly<Record<string, Held>>): fc.Arbitrary<Filter> {
  const leaf = fc.constantFrom(...Object.entries(held)).chain(([attribute, { values }]) => {
    const value = fc.constantFrom(...values);
    const list = fc.array(value, { minLength: 1, maxLength: 3 });
    return fc.oneof(
      fc.record({ attribute: fc.constant(attribute), op: fc.constant('has'), value }),
      fc.record({
        attribute: fc.constant(attribute),
        op: fc.constantFrom('has_any', 'has_all'),
        value: list,
      }),
    );
  });
  const above = (part: fc.Arbitrary<Filter>): fc.Arbitrary<Filter> => {
    const parts = fc.array(part, { minLength: 1, maxLength: 3 });
    return fc.oneof(
      leaf,
      parts.map((and) => ({ and })),
      parts.map((or) => ({ or })),
      part.map((not) => ({ not })),
    );
  };
  return above(above(above(leaf)));
}

/** Arrays, and for JSON other documents; SQL NULL. */
function anyStored({ type, values }: Held): fc.Arbitrary<string | null> {
  const items = fc.array(fc.constantFrom(...values, null), { maxLength: 4 });
  if (!type.startsWith('json')) return fc.option(items.map(arrayLiteral), { freq: 8 });
  const nested = fc.constantFrom<unknown[]>({}, 'a', 1, null, [['a']], { a: ['a'] });
  const document = fc.oneof({ arbitrary: items, weight: 5 }, nested);
  return fc.option(
    document.map((one) => JSON.stringify(one)),
    { freq: 8 },
  );
}

function arrayLiteral(items: readonly (Value | null)[]): string {
  const texts = items.map((item) =>
    item === null ? 'NULL' : `"${String(item).replaceAll(/["\\]/g, String.raw`\$&`)}"`,
  );
  return `{${texts.join()}}`;
}

describe.each(FIXTURES)(`random filters on $name (seed ${SEED})`, (fixture) => {
  const held = heldOf(fixture);
  // DuckDB takes ten times as long as others to plan one.
  const numRuns = fixture.family === 'DuckDB' ? REQUESTS / 5 : REQUESTS;
  const filters = fc.sample(anyFilter(held), { numRuns, seed: SEED });
  let database: FixtureDatabase;
  let engine: Engine;

  beforeAll(async () => {
    database = await fixture.create();
    const stored = fc.record(
      Object.fromEntries(Object.entries(held).map(([name, one]) => [name, anyStored(one)])),
    );
    const rows = fc.sample(stored, { numRuns: 80, seed: SEED }).map((row, index) => {
      const literals = Object.keys(held).map((name) => fixture.literal(row[name] ?? null, 'text'));
      return `(${[index + 1, ...literals].join(', ')})`;
    });
    const columns = Object.entries(held).map(([name, { type }]) => `${name} ${type}`);
    await database.execute([
      `create table held (id integer not null primary key, ${columns.join(', ')})`,
      `insert into held values ${rows.join(', ')}`,
    ]);
    engine = await open(database.url);
  });

  it('keep what SQL written by hand keeps through the database’s own client', async () => {
    const expected = await asked();
    for (const [index, filter] of filters.entries()) {
      const { result } = await engine.query(bodyOf({ model: 'held', filter }), EVERYTHING);
      const found = (JSON.parse(result) as { id: string | number }[]).map(({ id }) => String(id));
      expect(found, `seed ${SEED}, ${JSON.stringify(filter)}`).toEqual(expected[index]);
    }
  });

  /** A line `#` comes before the ids of each. */
  async function asked(): Promise<string[][]> {
    const statements = filters.map(
      (filter) =>
        `select '#';\nselect id from held where ${condition(filter, fixture, held)} order by id;`,
    );
    const printed = (await database.client(statements.join('\n'))).split(/^#$/m).slice(1);
    return printed.map((lines) => lines.split('\n').filter((line) => line !== ''));
  }
});

/** Those of an array of at most four items. */
const PLACES = [0, 1, 2, 3].map((place) => `select ${place} as n`).join(' union all ');

function condition(filter: Filter, fixture: Fixture, held: Readonly<Record<string, Held>>): string {
  const join = (parts: readonly Filter[], by: string): string =>
    parts.map((part) => `(${condition(part, fixture, held)})`).join(` ${by} `);
  if ('and' in filter) return join(filter.and, 'and');
  if ('or' in filter) return join(filter.or, 'or');
  if ('not' in filter) return `not (${condition(filter.not, fixture, held)})`;
  const { attribute, op, value } = filter;
  const type = held[attribute]?.type ?? '';
  const parts = [value].flat().map((one) => holds(attribute, { type, value: one }, fixture));
  return `case when ${attribute} is not null then ${parts.join(op === 'has_all' ? ' and ' : ' or ')} end`;
}

/** True or false for all that is not NULL. */
function holds(
  attribute: string,
  { type, value }: { readonly type: string; readonly value: Value },
  fixture: Fixture,
): string {
  const { name, family } = fixture;
  const json = fixture.literal(JSON.stringify(value), 'text');
  if (!type.startsWith('json')) {
    const item = fixture.literal(String(value), 'text');
    return `exists (select from unnest(${attribute}) as e where e = ${item}::${type.slice(0, -2)})`;
  }
  if (family === 'PostgreSQL')
    return `(jsonb_typeof(${attribute}::jsonb) = 'array' and exists (
      select from jsonb_array_elements(case jsonb_typeof(${attribute}::jsonb) when 'array'
        then ${attribute}::jsonb end) as e where e = ${json}::jsonb))`;
  if (family === 'SQLite') {
    const types: Readonly<Record<string, string>> = {
      string: `e.type = 'text'`,
      number: `e.type in ('integer', 'real')`,
      boolean: `e.type = '${String(value)}'`,
    };
    const text = typeof value === 'string' ? fixture.literal(value, 'text') : String(value);
    return `(json_type(${attribute}) = 'array' and exists (
      select 1 from json_each(${attribute}) as e where ${types[typeof value]} and e.value = ${text}))`;
  }
  if (family === 'DuckDB') {
    const item = `json_extract(${attribute}, '$[' || n || ']')`;
    const isHeld = `exists (select 1 from (${PLACES}) as p where ${item}::varchar = ${json})`;
    return `(json_type(${attribute}) = 'ARRAY' and ${isHeld})`;
  }
  // `json_contains` of MariaDB looks into arrays of arrays, and `member of` of MySQL misses some.
  const item = `json_extract(${attribute}, concat('$[', n, ']'))`;
  const same =
    name === 'MySQL'
      ? `${item} = cast(${json} as json)`
      : `cast(${item} as binary) = cast(${json} as binary)`;
  const isHeld = `exists (select 1 from (${PLACES}) as p where ${same})`;
  return `(json_type(${attribute}) = 'ARRAY' and ${isHeld})`;
}
