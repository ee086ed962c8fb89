import { facetsOf, type WireType } from '@proj/contract';
import type { Engine, ModelSettings } from '@proj/engine';
import { eachNth } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import type { Fixture, FixtureDatabase } from '../fixtures/fixture.ts';
import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';
import { askFacets, checkBins, type CheckedList, checkValues } from './checked-facets.ts';
import { EXTREME_COLUMNS, type ExtremeColumn } from './extreme-values.ts';

const FIXTURES = fixturesOf(import.meta.filename);

/**
 * Columns in which different forms of a value are equal, or values that a comparison counts as
 * equal are not.
 */
const MORE: Readonly<Record<string, readonly ExtremeColumn[]>> = {
  SQLite: [
    { declared: 'text collate nocase', literals: [`'a'`, `'A'`, `'a '`, `'b'`, `x'00'`, `'AA=='`] },
    { declared: '', type: 'float64', literals: ['-0.0', '0.0', '0', '1', '1.0', '2.5', `'x'`] },
    { declared: 'text collate nocase', type: 'uuid', literals: UUIDS() },
    { declared: 'integer', literals: ['1', '1.0', '0.1', '0.2', `'x'`, '9223372036854775807'] },
    {
      declared: 'text',
      type: 'timestamp_tz',
      literals: [
        `'2026-01-01 00:00:00'`,
        `'2026-01-01T00:00:00Z'`,
        `'2026-01-01T01:00:00+01:00'`,
        `'2026-01-02'`,
        `'never'`,
        `'2026-01-03 12:00:00.1234567'`,
      ],
    },
  ],
  PostgreSQL: [
    { declared: 'numeric', literals: ['1.00', '1.0', '1', '0.10', '-0.5', `'NaN'`] },
    {
      declared: 'double precision',
      literals: [`'-0'`, '0', '0.1', `'NaN'`, `'NaN'`, `'-Infinity'`],
    },
    { declared: 'real', literals: ['0.1', '0.3', `'-0'`, '0', '1e10'] },
    { declared: 'character(3)', literals: [`'a'`, `'a '`, `'A'`, `'b'`] },
    { declared: 'name', literals: [`'a'`, `'A'`] },
    { declared: 'money', literals: [`'1.50'`, `'-2.25'`] },
    { declared: 'text[]', literals: [`'{a,b}'`, `'{"a,b"}'`, `'{}'`, `'{a,NULL}'`] },
    { declared: 'double precision[]', literals: [`'{0}'`, `'{-0}'`] },
  ],
  DuckDB: [
    { declared: 'decimal(10, 2)', literals: ['1.00', '0.10', '-0.5'] },
    { declared: 'double', literals: [`'-0'`, '0', '0.1', `'NaN'`, `'NaN'`, `'-Infinity'`] },
    { declared: 'float', literals: ['0.1', '0.3', `'-0'`, '0', '1e10'] },
    { declared: 'hugeint', literals: ['170141183460469231731687303715884105727', '-1', '0'] },
    { declared: 'ubigint', literals: ['18446744073709551615', '0'] },
    { declared: 'varchar', literals: [`'a'`, `'a '`, `'A'`, `''`] },
    { declared: 'varchar[]', literals: ['[]', `['a', 'b']`, `['a,b']`, `['a', null]`] },
    { declared: 'double[]', literals: ['[0]', `['NaN'::double]`] },
  ],
  MariaDB: [
    { declared: 'varchar(20)', literals: [`'a'`, `'A'`, `'á'`, `'a '`, `''`, `' '`] },
    { declared: 'varchar(20) character set latin1', literals: [`'ä'`, `'a'`, `'Ä'`] },
    { declared: 'double', literals: ['0', '0.1', '1e300'] },
    { declared: 'float', literals: ['0.1', '0.3', '0'] },
    { declared: 'bit(1)', literals: [`b'0'`, `b'1'`] },
    { declared: 'year', literals: ['1970', '2069'] },
    { declared: 'decimal(10, 2) zerofill', literals: ['1.5', '22.25'] },
    { declared: 'decimal(65, 30)', literals: ['0.000000000000000000000000000001', '1'] },
    { declared: `enum('z', 'a', 'A')`, literals: [`'z'`, `'a'`] },
    { declared: 'tinyint unsigned', literals: ['0', '255'] },
  ],
};

function UUIDS(): string[] {
  const uuid = '7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11';
  return [`'${uuid}'`, `'${uuid.toUpperCase()}'`];
}

/**
 * Each value is in as many rows as its place says, the first one in one; the last row holds NULL.
 */
async function createColumns(
  { family, columnTypes }: Fixture,
  database: FixtureDatabase,
): Promise<void> {
  const mode = family === 'MariaDB' ? [`set sql_mode = 'ALLOW_INVALID_DATES'`] : [];
  const statements = columnsOf(family).flatMap(({ declared, literals }, index) => {
    const values = literals.flatMap((literal, place) =>
      Array<string>((place % 3) + 1).fill(literal),
    );
    const rows = [...values, 'null'].map((literal, id) => `(${id}, ${literal})`);
    return [
      `create table facets_${index} (id ${columnTypes.int32} primary key, v ${declared} null)`,
      `insert into facets_${index} values ${rows.join(', ')}`,
    ];
  });
  await database.execute([...mode, ...statements]);
}

function columnsOf(name: string): readonly ExtremeColumn[] {
  return [...(EXTREME_COLUMNS[name] ?? []), ...(MORE[name] ?? [])];
}

function settingsOf(name: string): Record<string, ModelSettings> {
  const models = columnsOf(name).flatMap(({ type }, index) =>
    type === undefined ? [] : [[`facets_${index}`, { attributes: { v: { type } } }] as const],
  );
  return Object.fromEntries(models);
}

/** What travels of SQLite's values that are none of the attribute's type is not found by `eq`. */
function isUnfound(type: WireType): (value: unknown) => boolean {
  return (value) => value === 'x' || value === 'never' || (type === 'text' && value === 'AA==');
}

describe.each(FIXTURES.map((fixture) => [fixture.name, fixture] as const))(
  'facets of extreme values on %s',
  (_, fixture) => {
    let engine: Engine;
    const columns = columnsOf(fixture.family);

    beforeAll(async () => {
      const database = await fixture.create();
      await createColumns(fixture, database);
      engine = await open(database.url, { models: settingsOf(fixture.family) });
    });

    const tried = columns.map(
      ({ declared, type }, index) => [declared, type, `facets_${index}`] as const,
    );

    it.each(eachNth(3, tried))(
      'a %s (%s) is grouped as eq compares, and its bins as filters do (%s)',
      async (_declared, _type, model) => {
        const { type, items } = engine.catalogue.get(model)?.attributes.get('v') ?? {};
        if (type === undefined) throw new Error('The model has no such attribute.');
        const kinds = facetsOf(type, items);
        expect(engine.catalogue.get(model)?.missing).toBeUndefined();
        const list: CheckedList = { engine, model, isUnfound: isUnfound(type) };
        if (kinds.includes('values')) {
          const facets = [{ attribute: 'v', values: 100, sort: 'value' }];
          const reply = await askFacets(engine, { model, facets });
          for (const facet of reply.facets) await checkValues(list, facet, type);
        }
        if (!kinds.includes('bins')) return;
        const reply = await askFacets(engine, { model, facets: [{ attribute: 'v', bins: 4 }] });
        for (const facet of reply.facets) await checkBins(list, facet);
      },
    );

    it('of equal values the least text is shown', async () => {
      const expected = SHOWN[fixture.family] ?? {};
      const shown: Record<string, unknown> = {};
      for (const [index, { declared, type = '' }] of columns.entries()) {
        const column = `${declared} ${type}`;
        if (!(column in expected)) continue;
        const { facets } = await askFacets(engine, {
          model: `facets_${index}`,
          facets: [{ attribute: 'v', values: 100, sort: 'value' }],
        });
        shown[column] = facets[0]?.values?.map(({ value }) => value);
      }
      expect(shown).toEqual(expected);
    });
  },
);

const SHOWN: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  SQLite: {
    ' float64': [-0, 1, 2.5, 'x'],
    'text collate nocase uuid': [UUIDS()[1]?.slice(1, -1)],
  },
  PostgreSQL: {
    'numeric ': ['-0.5', '0.10', '1', 'NaN'],
    'double precision ': ['-Infinity', -0, 0.1, 'NaN'],
  },
  DuckDB: {
    'decimal(10, 2) ': ['-0.50', '0.10', '1.00'],
    'double ': ['-Infinity', -0, 0.1, 'NaN'],
  },
  MariaDB: { 'double ': [0, 0.1, 1e300], 'float ': [0, 0.1, 0.3] },
};
