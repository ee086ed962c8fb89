import type { Engine } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { exported } from '../../exported.ts';
import { fixturesOf } from '../../fixtures/index.ts';
import { recordsOf } from '../../lists.ts';
import { open } from '../../open.ts';

const ALL_FIXTURES = fixturesOf(import.meta.filename);
const FIXTURES = ALL_FIXTURES.filter(({ refusesCollations }) => refusesCollations !== true);
const REFUSING = ALL_FIXTURES.filter(({ refusesCollations }) => refusesCollations === true);

/** Types of columns that compare texts regardless of the case of letters. */
const ANY_CASE: Readonly<Record<string, string>> = {
  SQLite: 'text collate nocase',
  PostgreSQL: 'text collate any_case',
  MariaDB: 'varchar(20) collate utf8mb4_general_ci',
  DuckDB: 'varchar collate nocase',
};

const PREPARED: Readonly<Record<string, string>> = {
  PostgreSQL: `create collation any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
};

/** The texts of each group, the first one first. */
const TEXTS = [
  ['b', 'c'],
  ['A', 'x'],
  ['C', 'D'],
  ['a', 'Y'],
];

/** Texts of two groups, of which two are equal at either end, in either order. */
const EQUAL_TEXTS = [
  ['k', 'K', 'L', 'l', 'kk'],
  ['K', 'l', 'kk', 'L', 'k'],
];

const ROWS = TEXTS.flatMap((texts, part) => texts.map((text) => `(${part + 1}, '${text}')`));

const AGGREGATES = [
  { name: 'first', op: 'min', attribute: 'v' },
  { name: 'last', op: 'max', attribute: 'v' },
];

describe.each(FIXTURES)('the first text of groups on $name', (fixture) => {
  let engine: Engine;

  beforeAll(async () => {
    const database = await fixture.create();
    await database.execute([
      ...(PREPARED[fixture.family] === undefined ? [] : [PREPARED[fixture.family] ?? '']),
      `create table words (part int not null, v ${ANY_CASE[fixture.family] ?? ''}, id int not null)`,
      `insert into words (part, v, id) values ${ROWS.map((row, index) => row.replace(')', `, ${index})`)).join(', ')}`,
      'create unique index words_key on words (id)',
      `create table equals (part int not null, v ${ANY_CASE[fixture.family] ?? ''}, id int not null)`,
      ...EQUAL_TEXTS.flatMap((texts, part) =>
        texts.map(
          (text, index) => `insert into equals values (${part}, '${text}', ${10 * part + index})`,
        ),
      ),
      'create unique index equals_key on equals (id)',
    ]);
    engine = await open(database.url);
  });

  const ask = async (members: object): Promise<unknown[]> => {
    const query_attributes = ['first', 'last'];
    const groups = { query_groups: ['part'], query_aggregates: AGGREGATES, query_attributes };
    const records = await recordsOf(engine, { query_model: 'words', ...groups, ...members });
    return records.map(({ first, last }) => [first, last]);
  };

  /** MariaDB shows any of equal texts, the others the one with the least or the most bytes. */
  const shown = (text: unknown): unknown =>
    fixture.family === 'MariaDB' ? String(text).toLowerCase() : text;

  it('is sorted as the column is', async () => {
    const groups = await ask({ query_sort: [{ attribute: 'first' }, { attribute: 'last' }] });
    expect(groups).toEqual([
      ['A', 'x'],
      ['a', 'Y'],
      ['b', 'c'],
      ['C', 'D'],
    ]);
  });

  it('is compared as the column is', async () => {
    const below = (value: string): Promise<unknown[]> =>
      ask({ query_group_filter: { attribute: 'first', op: 'lt', value } });
    expect(await below('B')).toEqual([
      ['A', 'x'],
      ['a', 'Y'],
    ]);
    expect(await below('c')).toHaveLength(3);
    const last = { attribute: 'last', op: 'gte', value: 'X' };
    expect(await ask({ query_group_filter: last })).toHaveLength(2);
  });

  it('is of equal texts the same to the collation, in a page and in an export', async () => {
    const grouping = { query_groups: ['part'], query_aggregates: AGGREGATES };
    const attributes = ['first', 'last'];
    const page = await ask({ query_model: 'equals' });
    const { records } = await exported(engine, { model: 'equals', attributes, grouping });
    const found = [page, records.map(Object.values)].map((groups) =>
      groups.map((group) => (group as unknown[]).map(shown)),
    );
    const expected = EQUAL_TEXTS.map(() => ['K', 'l'].map(shown));
    expect(found).toEqual([expected, expected]);
  });
});

it.each(REFUSING)(
  'a table with such texts is left out on $name, with the reason',
  async (fixture) => {
    const database = await fixture.create();
    const columns = `id int not null primary key, v ${ANY_CASE[fixture.family] ?? ''}`;
    await database.execute([
      `create table words (${columns})`,
      'create table others (id int primary key)',
    ]);
    const { catalogue, reports } = await open(database.url);
    expect([...catalogue.keys()]).toEqual(['others']);
    expect(reports.map(({ model, problem }) => [model, problem])).toEqual([
      ['words', expect.stringContaining('texts have a collation')],
    ]);
  },
);
