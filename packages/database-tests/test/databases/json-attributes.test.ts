import { type AttributeSettings, type Engine, EVERYTHING } from '@proj/engine';
import { beforeRelease, eachNth, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { exported } from '../exported.ts';
import type { Fixture, FixtureDatabase } from '../fixtures/fixture.ts';
import { fixturesOf } from '../fixtures/index.ts';
import { plainSqlite } from '../fixtures/plain-sqlite.ts';
import { open } from '../open.ts';
import { readAs, sameAs, TYPES } from './json-readings.ts';

const DOCUMENTS = Number(process.env['ORACLE_REQUESTS'] ?? (beforeRelease ? 300 : 40));

const ALL_FIXTURES = fixturesOf(import.meta.filename).flatMap((fixture) =>
  (fixture.family === 'PostgreSQL' ? ['json', 'jsonb'] : ['json']).map((column) => ({
    fixture,
    column,
    name: `${fixture.name} (${column})`,
  })),
);

const FIXTURES = eachNth(2, ALL_FIXTURES, 1);

type Path = readonly (string | number)[];

/** Some have a meaning in SQL, or in the paths of a database. */
const PATHS: readonly Path[] = [
  ['a'],
  ['a', 'b'],
  ['a', 0],
  ['a', 1, 'b'],
  [0],
  ['0'],
  ['x.y'],
  ['[0]'],
  ['*'],
  [''],
  ['$'],
  [`it's "q" \\ \` ? $1 :n %x {0} -- */`],
  [`')) or 1=1; drop table docs; --`],
  ['é 😀\n'],
  ['-b', '-'],
  ['-b', 0, 'a/b'],
];

/** As they are in the text: what of it is a number of so many digits. */
const SCALARS = [
  'null true false 0 1 -1 1.5 5.0 1e2 -2.50 2147483647 2147483648 -2147483648 -2147483649',
  '9223372036854775807 -9223372036854775808 9223372036854775808 123456789.125 1e-3 [] {}',
  '"" "a" "1" "true" "null" "2024-02-29" "2023-02-29" "2024-02-31" "2024-1-01" "0000-01-01"',
  '"1900-02-29" "2000-02-29" "2024-04-31" "2024-13-01" "9999-12-31" "2024-02-01T10:20:30"',
  '"2024-02-01T10:20:30.5" "2024-02-01T24:00:00" "2024-02-30T10:20:30" "2024-02-01T10:20:30Z"',
  '"2024-02-01T00:20:30.123456+05:30" "2024-12-31T23:20:30-01:00" "2024-02-01T10:20:30+99:00"',
  '"2024-02-01\\n" "7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11" "7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b1"',
  '"7C1D9A52-6F0E-4D6A-9A62-5F2F4C0E8B11" "7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11\\n"',
  '"\\u00e9\\ud83d\\ude00" "\\"\\\\\\n"',
].flatMap((line) => line.split(' '));

const scalar = fc.constantFrom(...SCALARS);
const keys = [...new Set([...PATHS.flat().filter((one) => typeof one === 'string'), 'b'])];

const unicode = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A name as writers of JSON spell it: as it is, in ASCII, and with all escapes that some have. */
const spelled = fc.constantFrom(...keys).chain((key) =>
  fc.constantFrom(
    JSON.stringify(key),
    JSON.stringify(key)
      .replaceAll('/', String.raw`\/`)
      .replaceAll(/[^ -~]/g, unicode),
    `"${key.replaceAll(/[^\w-]/g, (unit) => unicode(unit).toUpperCase().replace('U', 'u'))}"`,
  ),
);

/** The text of a document: members and items down to some depth. */
function textOf(depth: number): fc.Arbitrary<string> {
  if (depth === 0) return scalar;
  const member = fc.tuple(spelled, textOf(depth - 1));
  const members = fc.uniqueArray(member, {
    selector: ([key]) => JSON.parse(key) as unknown,
    maxLength: 9,
  });
  const objects = members.map(
    (all) => `{${all.map(([key, value]) => `${key} :${value}`).join(',')}}`,
  );
  const arrays = fc.array(textOf(depth - 1), { maxLength: 3 }).map((all) => `[${all.join(',')}]`);
  return fc.oneof({ arbitrary: objects, weight: 3 }, arrays, scalar);
}

const SINGLE = SCALARS.map((value) => `{"a":${value}}`);
const random = fc.sample(textOf(3), { numRuns: DOCUMENTS, seed: SEED });
const TEXTS = [...SINGLE, ...random, 'null', '5', '"a"'];

const at = (attribute: string, op: string, value: unknown): unknown => ({ attribute, op, value });

function attributesOf({ declaresTypes }: Fixture): Record<string, AttributeSettings> {
  const places = PATHS.flatMap((path, index) =>
    TYPES.map((type) => [`${type}_${index}`, { json: 'details', path, type }]),
  );
  const declared: Record<string, AttributeSettings> = declaresTypes
    ? { id: { type: 'int32' } }
    : {};
  return { id: {}, ...declared, ...(Object.fromEntries(places) as typeof declared) };
}

function texts(values: readonly unknown[]): string[] {
  return values.map((value) => JSON.stringify(value)).toSorted();
}

/** Decimals of SQLite are whole numbers of 64 bits, or floating point ones. */
function isHeld({ family }: Fixture, type: string, value: unknown): boolean {
  return family !== 'SQLite' || type !== 'decimal' || value !== '9223372036854775808';
}

describe.each(FIXTURES)('places of JSON columns on $name', ({ fixture, column }) => {
  let database: FixtureDatabase;
  let engine: Engine;

  beforeAll(async () => {
    database = await fixture.create();
    const rows = TEXTS.map((text, id) => `(${id}, ${fixture.literal(text, 'json')})`);
    await database.execute([
      `create table docs (id int not null primary key, details ${column})`,
      `insert into docs values ${rows.join(', ')}, (${TEXTS.length}, null)`,
    ]);
    const models = { docs: { attributes: attributesOf(fixture) } };
    engine = await open(database.url, { models, maxPageSize: 5000 });
  });

  async function reply(attributes: readonly string[], others: object = {}) {
    const page = { page: 1, size: 5000 };
    const body = { query_model: 'docs', query_attributes: attributes, page, ...others };
    const { result, version } = await engine.query(body, EVERYTHING);
    return { records: JSON.parse(result) as Record<string, unknown>[], version };
  }

  it('are all described', () => {
    expect(engine.reports).toEqual([]);
  });

  it.each(TYPES)(
    `are read as %s like JavaScript reads ${TEXTS.length} texts (seed ${SEED})`,
    async (type) => {
      const names = PATHS.map((_, index) => `${type}_${index}`);
      const { records } = await reply(['id', ...names]);
      for (const record of records) {
        const text = TEXTS[Number(record['id'])] ?? 'null';
        for (const [index, path] of PATHS.entries()) {
          const given = record[`${type}_${index}`];
          const read = readAs(type, text, path);
          const expected = isHeld(fixture, type, read) ? read : null;
          const place = { path, text };
          expect({ ...place, value: sameAs(type, given) }).toEqual({
            ...place,
            value: sameAs(type, expected),
          });
        }
      }
    },
  );

  it.each(TYPES.filter((type) => type !== 'json'))(
    'of type %s are filtered, sorted, grouped and counted like their values',
    async (type) => {
      const name = `${type}_0`;
      const all = (await reply(['id', name])).records.map((record) => record[name]);
      const values = all.filter((value) => value !== null);
      const sorted = (await reply([name], { query_sort: [{ attribute: name, direction: 'asc' }] }))
        .records;
      expect(texts(sorted.map((record) => record[name]))).toEqual(texts(all));
      expect(sorted.slice(values.length).every((record) => record[name] === null)).toBe(true);
      for (const value of new Set(values)) {
        const found = await reply([name], { query_filter: at(name, 'eq', value) });
        expect(found.records.map((record) => record[name])).toContainEqual(value);
      }
      const absent = await reply(['id'], { query_filter: at(name, 'is_null', true) });
      expect(absent.records).toHaveLength(all.length - values.length);
      const query_aggregates = [{ name: 'n', op: 'count' }];
      const groups = await reply([name, 'n'], { query_groups: [name], query_aggregates });
      const counts = groups.records.map((record) => Number(record['n']));
      expect(counts.reduce((sum, n) => sum + n, 0)).toBe(all.length);
      const query_facets = [{ attribute: name, values: 5 }];
      const { json } = await engine.facets({ query_model: 'docs', query_facets }, EVERYTHING);
      expect(json).toContain(name);
    },
  );

  it('sort numbers as numbers', async () => {
    for (const name of ['int64_0', 'decimal_0', 'float64_0', 'int32_0']) {
      const query_sort = [{ attribute: name, direction: 'asc' }];
      const query_filter = at(name, 'is_null', false);
      const { records } = await reply([name], { query_sort, query_filter });
      const numbers = records.map((record) => Number(record[name]));
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    }
  });

  it('find a UUID in any letter case, and are equal to it so', async () => {
    const value = '7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11';
    const uuid_0 = value;
    const { records } = await reply(['uuid_0'], { query_filter: at('uuid_0', 'is_null', false) });
    expect(records.length).toBeGreaterThan(1);
    for (const [op, asked] of [
      ['eq', value],
      ['eq', value.toUpperCase()],
      ['in', [value.toUpperCase()]],
    ] as const) {
      const found = await reply(['uuid_0'], { query_filter: at('uuid_0', op, asked) });
      expect(found.records).toEqual(records.map(() => ({ uuid_0 })));
    }
  });

  it('are found by text in any letter case, and by a part of it', async () => {
    for (const [op, value] of [
      ['ieq', '2024-02-01t10:20:30z'],
      ['contains', '10:20:30Z'],
    ] as const) {
      const { records } = await reply(['text_0'], { query_filter: at('text_0', op, value) });
      expect(records).toContainEqual({ text_0: '2024-02-01T10:20:30Z' });
    }
  });

  it('keep the version of their model', async () => {
    const { version } = await reply(['id']);
    expect((await reply(['id', 'text_0', 'int64_4'])).version).toBe(version);
  });

  it.runIf(fixture.name !== plainSqlite.name)('are in exports', async () => {
    const attributes = ['id', 'text_0', 'decimal_0', 'json_1'];
    const { result } = await exported(engine, { model: 'docs', attributes });
    expect(JSON.parse(result)).toEqual((await reply(attributes)).records);
  });

  it('are refused at their key, each with its problem', async () => {
    const refused: readonly (readonly [AttributeSettings, string, string])[] = [
      [{ json: 'nothing', path: ['a'], type: 'text' }, 'json', 'no column named "nothing"'],
      [{ json: 'id', path: ['a'], type: 'text' }, 'json', 'not json'],
      [{ json: 'details', path: [], type: 'text' }, 'path', 'no path'],
      [{ json: 'details', type: 'text' }, 'path', 'no path'],
      [{ json: 'details', path: [-1], type: 'text' }, 'path', 'no place'],
      [{ json: 'details', path: [1.5], type: 'text' }, 'path', 'no place'],
      [{ json: 'details', path: ['\ud800'], type: 'text' }, 'path', 'no Unicode'],
      [{ json: 'details', path: ['a'] }, 'type', 'no type'],
      [{ json: 'details', path: ['a'], type: 'bytes' }, 'type', 'no bytes'],
      [{ json: 'details', path: ['a'], type: 'text', sql: 'id' }, 'sql', 'several of'],
      [{ json: 'details', path: ['a'], type: 'text', column: 'id' }, 'json', 'several of'],
      [{ json: 'details', path: ['a'], type: 'text', reads: 'row' }, 'reads', 'there is none'],
      [{ path: ['a'], type: 'text' }, 'path', 'none is named'],
    ];
    const bad = Object.fromEntries(refused.map(([settings], index) => [`bad_${index}`, settings]));
    const models = { docs: { attributes: { id: {}, ...bad } } };
    const { reports } = await open(database.url, { models });
    for (const [index, [, key, problem]] of refused.entries()) {
      const path = ['models', 'docs', 'attributes', `bad_${index}`, key];
      expect(reports).toContainEqual(
        expect.objectContaining({ path, problem: expect.stringContaining(problem) }),
      );
    }
  });

  it('are NULL where the database reads no value', async () => {
    const stored = [
      ...(column === 'json' ? ['{"a":"\\u0000"}'] : []),
      ...(column === 'json' && !['MariaDB', 'DuckDB'].includes(fixture.family)
        ? ['{"a":"\\ud800"}']
        : []),
      ...(fixture.name === 'MySQL' ? [] : ['{"a":1e400}']),
      ...(column === 'json' && fixture.name !== 'MySQL' ? ['{"a":-1e99999}'] : []),
      ...(fixture.family === 'SQLite' ? ['nope', '{a:1}', '{"a":'] : []),
    ];
    const rows = stored.map((text, index) => `(${9000 + index}, ${fixture.literal(text, 'json')})`);
    if (rows.length > 0) await database.execute([`insert into docs values ${rows.join(', ')}`]);
    for (const type of TYPES) {
      const names = ['id', `${type}_0`, `${type}_2`];
      const { records } = await reply(names, { query_filter: at('id', 'gte', 9000) });
      expect(records).toHaveLength(stored.length);
      const floats = records.filter((record) => (record['float64_0'] ?? null) !== null);
      expect(floats).toEqual([]);
    }
  });
});
