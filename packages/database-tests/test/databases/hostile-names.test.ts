import { type Engine, EVERYTHING } from '@proj/engine';
import { eachNth } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';
import { bodyOf } from './everywhere.ts';
import { createTable, modelSettings, type Table } from './tables.ts';

const FIXTURES = fixturesOf(import.meta.filename);

/** Names that every database takes for a column, and none should take for anything else. */
const NAMES: readonly string[] = [
  ...String.raw`" "" ' '' ; -- /* */ # $1 $$ ? ?? :x @x @@version %s % {0} \ \" \n \u0000 a.b .`.split(
    ' ',
  ),
  ...'( ) [x] , = * ~1 /0 1 -1 1e9 é 東京 שלום'.split(' '),
  ...'__proto__ constructor prototype toString hasOwnProperty length'.split(' '),
  ...'select null true count(*) t c0 c1 total rows p'.split(' '),
  '`',
  '``',
  '${x}',
  '-- x',
  'line\nbreak',
  'carriage\rreturn',
  'tab\tstop',
  '\u0001',
  '\u007f',
  ' a',
  'a b',
  'e\u0301',
  '\u202e',
  '\u200b',
  '\u2028',
  '\ufeff',
  '"; drop table victims; --',
  '`; drop table victims; --',
  "'); drop table victims; --",
];

/** MariaDB keeps names in three bytes a character; PostgreSQL takes 63 bytes, others 64 characters. */
const namesOn = (database: string): readonly string[] => [
  ...NAMES,
  'é'.repeat(database === 'PostgreSQL' ? 31 : 64),
  ...(database === 'MariaDB' ? [] : ['😀', '\u{10ffff}']),
];

const TABLE_NAMES = [
  `a"b\`c';--$1?%s\\\n`.concat('é'),
  '__proto__',
  'constructor',
  'toString',
  'select',
  '"; drop table victims; --',
  '1',
  'n'.repeat(63),
];

describe.each(FIXTURES)('hostile names on $name', (fixture) => {
  const columns = Object.fromEntries(
    namesOn(fixture.family).map((name) => [name, 'int32'] as const),
  );
  // JavaScript puts the names that are numbers first.
  const names = Object.keys(columns);
  /** The first table has all of them, and each of the others has some. */
  const namesIn = (place: number): readonly string[] =>
    names.filter((_, index) => place === 0 || index % TABLE_NAMES.length === place);
  const rowsIn = (place: number): number[][] => {
    const values = namesIn(place).map((name) => names.indexOf(name));
    return [values, values.map((value) => 0 - value), []];
  };
  const tables = TABLE_NAMES.map((name, place): Table => {
    const some = namesIn(place).map((column) => [column, 'int32'] as const);
    return { name, columns: Object.fromEntries(some), rows: rowsIn(place) };
  });
  let engine: Engine;

  beforeAll(async () => {
    const database = await fixture.create();
    await database.execute([
      'create table victims (id integer not null primary key)',
      'insert into victims values (1)',
    ]);
    for (const table of tables) await createTable(fixture, database, table);
    engine = await open(database.url, { models: modelSettings(fixture, tables) });
  });

  async function ask(request: Parameters<typeof bodyOf>[0]): Promise<string> {
    const { result } = await engine.query(bodyOf(request), EVERYTHING);
    return result;
  }

  it('are the names of the catalogue, as they are', () => {
    expect([...engine.catalogue.keys()].toSorted()).toEqual([...TABLE_NAMES, 'victims'].toSorted());
    for (const [place, model] of TABLE_NAMES.entries())
      expect(new Set(engine.catalogue.get(model)?.attributes.keys())).toEqual(
        new Set(['id', ...namesIn(place)]),
      );
    expect(engine.reports).toEqual([]);
  });

  it.each(TABLE_NAMES)('are served all at once by the table %j', async (model) => {
    const place = TABLE_NAMES.indexOf(model);
    const attributes = namesIn(place);
    const textOf = (values: readonly number[]): string =>
      `{${attributes.map((name, index) => `${JSON.stringify(name)}:${JSON.stringify(values[index] ?? null)}`).join(',')}}`;
    expect(await ask({ model, attributes })).toBe(`[${rowsIn(place).map(textOf).join(',')}]`);
  });

  it.each(eachNth(4, names))('are served one by one, filtered and sorted by: %j', async (name) => {
    const index = names.indexOf(name);
    const model = TABLE_NAMES[index % TABLE_NAMES.length] ?? '';
    const filter = {
      and: [
        { attribute: name, op: 'in', value: [index, -index] },
        { not: { attribute: name, op: 'is_null' } },
      ],
    };
    const sort = [{ attribute: name, direction: 'asc', nulls: 'first' }];
    const key = JSON.stringify(name);
    const expected = index === 0 ? [0, 0] : [-index, index];
    const records = expected.map((value) => `{${key}:${String(value)}}`);
    expect(await ask({ model, attributes: [name], filter, sort })).toBe(`[${records.join(',')}]`);
  });

  it('that differ from a known one in anything are unknown', async () => {
    const some = eachNth(3, names, FIXTURES.indexOf(fixture));
    const strangers = some.flatMap((name) => [
      `${name} `,
      ` ${name}`,
      `${name}\u200b`,
      name.normalize('NFD'),
      name.normalize('NFC'),
    ]);
    for (const stranger of new Set(strangers)) {
      if (names.includes(stranger)) continue;
      await expect(
        ask({ model: TABLE_NAMES[0] ?? '', attributes: [stranger] }),
      ).rejects.toMatchObject({
        errors: [{ pointer: '/query_attributes/0', code: 'unknown_attribute' }],
      });
    }
    for (const model of ['valueOf', 'hasOwnProperty', 'Constructor', '__proto__ ', '']) {
      await expect(ask({ model })).rejects.toMatchObject({
        errors: [{ pointer: '/query_model', code: 'unknown_model' }],
      });
    }
  });

  it('leave the other tables alone, and the prototypes of this process', async () => {
    expect(await ask({ model: 'victims', attributes: ['id'] })).toMatch(/^\[\{"id":("1"|1)\}\]$/);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)['line\nbreak']).toBeUndefined();
  });
});
