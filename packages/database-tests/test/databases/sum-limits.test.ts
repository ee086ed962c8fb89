import type { Engine } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';
import { outcome } from '../outcome.ts';
import { facetSumsOf, groupOf } from './groups/group-of.ts';

const FIXTURES = fixturesOf(import.meta.filename);

/** A column with its values as SQL, and their exact sum and average. */
interface Added {
  readonly declared: string;
  readonly literals: readonly string[];
  readonly sum: string;
  readonly average: string;
}

const LARGEST = '9223372036854775807';
const LEAST = '-9223372036854775808';
const MOST_HUGEINT = '170141183460469231731687303715884105727';
const nines = (count: number): string => '9'.repeat(count);
const zeros = (count: number): string => '0'.repeat(count);

const INTEGERS = [
  {
    literals: [LARGEST, LARGEST, LARGEST],
    sum: '27670116110564327421',
    average: LARGEST,
  },
  { literals: [LEAST, LEAST], sum: '-18446744073709551616', average: LEAST },
  {
    literals: [LARGEST, LARGEST, '-1'],
    sum: '18446744073709551613',
    average: '6148914691236517204.3333333333333333',
  },
];

/** By the name of the database; of MariaDB they have a test of their own. */
const ADDED: Readonly<Record<string, readonly Added[]>> = {
  PostgreSQL: [
    ...INTEGERS.map((added) => ({ declared: 'bigint', ...added })),
    {
      declared: 'numeric',
      literals: [`${nines(1000)}.5`, `0.${zeros(999)}1`, '-0.5'],
      sum: `${nines(1000)}.${zeros(999)}1`,
      average: `${'3'.repeat(1000)}.${zeros(1000)}`,
    },
    {
      declared: 'numeric(1000, 500)',
      literals: [`${nines(500)}.${nines(500)}`, `0.${zeros(499)}1`],
      sum: `1${zeros(500)}.${zeros(500)}`,
      average: `5${zeros(499)}.${zeros(500)}`,
    },
    { declared: 'numeric', literals: [`'NaN'`, '1'], sum: 'NaN', average: 'NaN' },
    { declared: 'numeric', literals: [`'Infinity'`, '1'], sum: 'Infinity', average: 'Infinity' },
    { declared: 'numeric', literals: [`'Infinity'`, `'-Infinity'`], sum: 'NaN', average: 'NaN' },
    {
      declared: 'money',
      literals: [`'92233720368547758.07'`, `'92233720368547758.07'`],
      sum: '184467440737095516.14',
      average: '92233720368547758.07',
    },
  ],
  DuckDB: [
    ...INTEGERS.map((added) => ({ declared: 'bigint', ...added })),
    {
      declared: 'hugeint',
      literals: [MOST_HUGEINT, MOST_HUGEINT, '-1'],
      sum: '340282366920938463463374607431768211453',
      average: '113427455640312821154458202477256070484.3333333333333333',
    },
    {
      declared: 'decimal(38, 10)',
      literals: [`${nines(28)}.${nines(10)}`, `${nines(28)}.${nines(10)}`, '0.0000000002'],
      sum: `2${zeros(28)}.${zeros(10)}`,
      average: `${'6'.repeat(28)}.${'6'.repeat(15)}7`,
    },
    { declared: 'double', literals: [`'NaN'`, '1'], sum: 'NaN', average: 'NaN' },
  ],
  SQLite: [
    ...INTEGERS.map((added) => ({ declared: 'integer', ...added })),
    {
      declared: 'decimal(38, 10)',
      literals: [LARGEST, LARGEST, '0.1'],
      sum: '18446744073709551614.1',
      average: '6148914691236517204.7',
    },
    {
      declared: 'exact text',
      literals: [`'12345678901234567890.0123456789'`, `'0.0000000002'`, `'1${zeros(40)}'`],
      sum: '10000000000000000000012345678901234567890.0123456791',
      average: '3333333333333333333337448559633744855963.3374485597',
    },
  ],
};

describe.each(FIXTURES.filter(({ family }) => Object.hasOwn(ADDED, family)))(
  'the sum of a facet and of a group on $name, at the limits of its numbers',
  (fixture) => {
    const all = ADDED[fixture.family] ?? [];
    let engine: Engine;

    beforeAll(async () => {
      const database = await fixture.create();
      await database.execute(
        all.flatMap(({ declared, literals }, index) => [
          `create table added_${index} (id integer primary key, v ${declared}, part int default 1)`,
          `insert into added_${index} (id, v) values ${literals.map((one, id) => `(${id}, ${one})`).join(', ')}`,
        ]),
      );
      const models = all.map(({ declared }, index) => [
        `added_${index}`,
        declared === 'exact text' ? { attributes: { v: { type: 'decimal' as const } } } : {},
      ]);
      engine = await open(database.url, { models: Object.fromEntries(models) });
    });

    it.each(all.map(({ declared, ...added }, index) => [declared, `added_${index}`, added]))(
      'is exact over %s (%s), and so is the average',
      async (_, query_model, { sum, average }) => {
        const added = { query_model, attribute: 'v' };
        expect(await facetSumsOf(engine, added)).toEqual({ sum, average });
        expect(await groupOf(engine, added)).toEqual({ sum, average });
      },
    );
  },
);

describe.each(FIXTURES.filter(({ family }) => family === 'PostgreSQL'))('on $name', (fixture) => {
  it('a sum with more digits than a numeric takes is a data_error', async () => {
    const database = await fixture.create();
    await database.execute([
      'create table huge (id integer primary key, v numeric)',
      `insert into huge select n, repeat('9', 131072)::numeric from generate_series(1, 2) as n`,
    ]);
    const engine = await open(database.url);
    const sum = facetSumsOf(engine, { query_model: 'huge', attribute: 'v' });
    expect(await outcome(sum)).toBe('data_error');
  });
});
