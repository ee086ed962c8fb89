import type { Engine } from '@proj/engine';
import { hasMysql } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { mysql } from '../fixtures/mysql.ts';
import { recordsOf } from '../lists.ts';
import { open } from '../open.ts';
import { askFacets } from './checked-facets.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const FIXTURES_AND_MYSQL = [...FIXTURES, ...(hasMysql() ? [mysql] : [])];

/** MariaDB has no infinities, and adds floating point numbers as such. */
const ADDING_DIGITS = FIXTURES.filter(({ family }) => family !== 'MariaDB');

const INFINITY: Readonly<Record<string, string>> = {
  SQLite: '9e999',
  PostgreSQL: `'Infinity'`,
  DuckDB: `'Infinity'`,
};

const ZEROS = '0'.repeat(26);

/** The sums of groups, and sum and average of a facet, of the records of a filter. */
async function sumsOf(engine: Engine, query_filter: unknown): Promise<unknown[]> {
  const groups = await recordsOf(engine, {
    query_model: 'numbers',
    query_attributes: ['sum'],
    query_groups: ['part'],
    query_aggregates: [{ name: 'sum', op: 'sum', attribute: 'y' }],
    query_filter,
  });
  const facets = [{ attribute: 'y', bins: 2 }];
  const request = { model: 'numbers', facets, filter: query_filter };
  const found = (await askFacets(engine, request)).facets;
  return [...groups.map(({ sum }) => sum), ...found.flatMap(({ sum, average }) => [sum, average])];
}

const ofPart = (part: number): unknown => ({ attribute: 'part', op: 'eq', value: part });

describe.each(ADDING_DIGITS)('sums of floating point numbers on $name', (fixture) => {
  let engine: Engine;

  beforeAll(async () => {
    const infinity = INFINITY[fixture.family] ?? '';
    const negative = infinity.replace(/^'?/, (quote) => `${quote}-`);
    const type = fixture.columnTypes.float64;
    const database = await fixture.create();
    await database.execute([
      `create table numbers (id int not null primary key, part int not null, x ${type}, y ${type})`,
      `insert into numbers values
          (1, 1, 3e26, ${infinity}), (2, 1, 7e26, ${negative}), (3, 2, -3e26, 1),
          (4, 2, 1152921504606846976, ${infinity}), (5, 3, 7e27, null)`,
    ]);
    engine = await open(database.url);
  });

  it('are of the digits that travel, also where there are many of them', async () => {
    const groups = await recordsOf(engine, {
      query_model: 'numbers',
      query_groups: ['part'],
      query_aggregates: ['sum', 'average'].map((op) => ({ name: op, op, attribute: 'x' })),
    });
    expect(groups.map(({ sum, average }) => [sum, average])).toEqual([
      [`10${ZEROS}`, `5${ZEROS}`],
      ['-299999998847078495393153000', '-149999999423539247696576500'],
      [`70${ZEROS}`, `70${ZEROS}`],
    ]);
  });

  it('of both infinities are not a number, in groups and in facets', async () => {
    expect(await sumsOf(engine, ofPart(1))).toEqual(['NaN', 'NaN', 'NaN']);
    expect(await sumsOf(engine, ofPart(2))).toEqual(['Infinity', 'Infinity', 'Infinity']);
    expect(await sumsOf(engine, { attribute: 'id', op: 'eq', value: 3 })).toEqual(['1', '1', '1']);
    expect(await sumsOf(engine, ofPart(3))).toEqual([null, null, null]);
  });
});

describe.each(FIXTURES_AND_MYSQL)('floating point numbers in bins on $name', (fixture) => {
  it('have all digits of their sum and average, though their sum is no double', async () => {
    const [least, most] = [1.5e308, 1.7e308];
    const database = await fixture.create();
    await database.execute([
      `create table numbers (id int not null primary key, x ${fixture.columnTypes.float64})`,
      `insert into numbers values (1, ${least}), (2, ${most}), (3, null)`,
    ]);
    const engine = await open(database.url);
    const facets = [{ attribute: 'x', bins: 2 }];
    const sum = BigInt(least) + BigInt(most);
    expect((await askFacets(engine, { model: 'numbers', facets })).facets).toMatchObject([
      { min: least, max: most, sum: String(sum), average: String(sum / 2n) },
    ]);
  });
});

const SMALL = ['1e-40', '2e-40', '0.1', '0.2', '1e-31', '3.3'];

describe.each(FIXTURES_AND_MYSQL)('small floating point numbers on $name', (fixture) => {
  it.each(['sum', 'average'])('are found by the %s that travels', async (op) => {
    const type = fixture.columnTypes.float64;
    const database = await fixture.create();
    await database.execute([
      `create table numbers (id int not null primary key, x ${type})`,
      `insert into numbers values ${SMALL.map((value, id) => `(${id}, ${value})`).join(', ')}`,
    ]);
    const engine = await open(database.url);
    const groups = {
      query_model: 'numbers',
      query_groups: ['id'],
      query_aggregates: [{ name: 'found', op, attribute: 'x' }],
    };
    const rows = await recordsOf(engine, groups);
    expect(rows).toHaveLength(SMALL.length);
    for (const row of rows) {
      const query_group_filter = { attribute: 'found', op: 'eq', value: row['found'] };
      expect(await recordsOf(engine, { ...groups, query_group_filter })).toEqual([row]);
    }
  });
});
