import { type Engine, EVERYTHING, type ModelSettings } from '@proj/engine';
import { eachNth } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { exported } from '../exported.ts';
import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';

const FIXTURES = eachNth(2, fixturesOf(import.meta.filename));

/** Names that parts of our statements have. By thirds: each meets each half of the databases. */
const NAMES = eachNth(3, 'G once List found t s r p n j0 c0 f0 total'.split(' '));

/** A table whose answers those of the others have to be. */
const PLAIN = 'plain';

/** What one asks of a list, with the members that name it left out. */
type Question = readonly [kind: 'query' | 'facets' | 'export', members: object];

const page = { page: 1, size: 2 };
const GROUPS = {
  query_groups: ['v'],
  query_aggregates: [
    { name: 'least', op: 'min', attribute: 'v' },
    { name: 'sum', op: 'sum', attribute: 'n' },
  ],
  query_attributes: ['v', 'least', 'sum'],
  query_group_filter: { attribute: 'sum', op: 'gt', value: '0' },
};
const RECORDS = {
  query_attributes: ['id', 'v'],
  query_filter: { attribute: 'n', op: 'gt', value: 0 },
};

/** Questions about any list. */
const OF_LISTS: readonly Question[] = [
  ['query', { ...RECORDS, page }],
  ['query', { ...RECORDS, page: { page: 2, size: 2 } }],
  ['query', { ...RECORDS, page: { page: 9, size: 2 } }],
  ['query', { ...RECORDS, page, query_total: 'none' }],
  ['query', { ...RECORDS, page, query_total: { up_to: 3 } }],
  ['query', { ...RECORDS, page: { containing: { id: 4 }, size: 2 } }],
  ['query', { ...GROUPS, page }],
  ['query', { ...GROUPS, page, query_total: 'none' }],
  ['export', RECORDS],
  ['export', GROUPS],
  [
    'facets',
    {
      query_facets: [
        { attribute: 'v', values: 2 },
        { attribute: 'n', values: 5, query_filter: RECORDS.query_filter },
        { attribute: 'n', bins: 2 },
        { attribute: 'f', bins: 2 },
        { attribute: 'd', bins: 2 },
      ],
    },
  ],
];

const OF_TREES = { query_attributes: ['id', 'parent.v', 'parent.parent.v'] };
const BY_PARENT = { query_sort: [{ attribute: 'parent.v', direction: 'asc' }] };

/** Questions about lists that lead to others. */
const ALONG_RELATIONS: readonly Question[] = [
  ['query', { ...OF_TREES, page }],
  ['query', { ...OF_TREES, ...BY_PARENT, page }],
  ['query', { ...OF_TREES, ...BY_PARENT, page: { page: 2, size: 2 } }],
  ['query', { ...OF_TREES, ...BY_PARENT, page: { containing: { id: 1 }, size: 2 } }],
  [
    'query',
    {
      ...RECORDS,
      page,
      query_filter: { related: 'children', some: { attribute: 'parent.n', op: 'gt', value: 0 } },
    },
  ],
  ['query', { ...GROUPS, query_groups: ['parent.v'], query_attributes: ['parent.v', 'sum'], page }],
  ['export', { ...OF_TREES, ...BY_PARENT }],
  ['facets', { query_facets: [{ attribute: 'parent.v', values: 5 }] }],
];

const TREE: ModelSettings = {
  attributes: { d: { type: 'date' } },
};

/** What the lists of all such names are answered, and what a plain one is. */
async function answersOf(engine: Engine, question: Question): Promise<[unknown, unknown]> {
  const expected = await answer(engine, PLAIN, question);
  const found: unknown[] = [];
  // A busy machine refuses callers who ask for all at once.
  for (const name of NAMES) found.push(await answer(engine, name, question));
  const byName = (answers: readonly unknown[]): unknown =>
    Object.fromEntries(NAMES.map((name, index) => [name, answers[index]]));
  return [byName(found), byName(NAMES.map(() => expected))];
}

async function answer(engine: Engine, model: string, [kind, members]: Question): Promise<unknown> {
  const body = { query_model: model, ...members };
  if (kind === 'facets') return JSON.parse((await engine.facets(body, EVERYTHING)).json);
  if (kind === 'query') {
    const { result, page: place } = await engine.query(body, EVERYTHING);
    return { records: JSON.parse(result) as unknown, page: place };
  }
  const {
    query_attributes: attributes,
    query_sort: sort,
    ...rest
  } = members as {
    readonly query_attributes: readonly string[];
    readonly query_sort?: readonly unknown[];
  };
  const { records } = await exported(engine, {
    model,
    attributes,
    ...(sort && { sort }),
    grouping: rest,
  });
  return records;
}

describe.each(FIXTURES)('what $name is asked', (fixture) => {
  const quoted = (name: string): string => fixture.identifier(name);
  const tree = (name: string): string[] => [
    `create table ${quoted(name)} (
      id int not null primary key, v varchar(20), n int, f ${fixture.columnTypes.float64},
      d ${fixture.columnTypes.date}, parent_id int, p int,
      foreign key (parent_id) references ${quoted(name)} (id)
    )`,
    // DuckDB looks for keys among the rows of earlier statements.
    ...[
      "1, 'x', 1, 0.5, '2026-01-01', null",
      "2, 'y', 2, 1.5, '2026-01-05', 1",
      "3, 'x', 3, 2.5, '2026-02-01', 1",
      "4, null, 4, 3.5, '2026-02-01', 2",
      "5, 'z', 0, null, null, 4",
    ].map((row) => `insert into ${quoted(name)} values (${row}, 1)`),
  ];
  const names = [PLAIN, ...NAMES];

  const modelsOf = (settings: (name: string) => ModelSettings): Record<string, ModelSettings> =>
    Object.fromEntries(names.map((name) => [name, settings(name)]));

  describe('of tables with names of parts of statements', () => {
    let engine: Engine;
    beforeAll(async () => {
      const database = await fixture.create();
      await database.execute(names.flatMap(tree));
      const models = modelsOf((model) => ({
        ...TREE,
        relations: {
          parent: { model, attributes: ['parent_id'], key: ['id'], inverse: 'children' },
        },
      }));
      engine = await open(database.url, { models });
    });

    it.each([...OF_LISTS, ...ALONG_RELATIONS])(
      'is answered as for any other name: %s %j',
      async (...question) => {
        const [found, expected] = await answersOf(engine, question);
        expect(found).toEqual(expected);
      },
    );
  });

  describe('of views with such names, whose rows vary', () => {
    let engine: Engine;
    beforeAll(async () => {
      const database = await fixture.create();
      const chance = fixture.family === 'MariaDB' ? 'rand()' : 'random()';
      const view = (name: string): string =>
        `create view ${quoted(name)} as select t.*, ${chance} as chance from ${quoted('base')} as t`;
      await database.execute([...tree('base'), ...names.map(view)]);
      engine = await open(database.url, { models: modelsOf(() => ({ ...TREE, key: ['id'] })) });
    });

    it.each(OF_LISTS)('is answered as for any other name: %s %j', async (...question) => {
      const [found, expected] = await answersOf(engine, question);
      expect(found).toEqual(expected);
    });
  });
});
