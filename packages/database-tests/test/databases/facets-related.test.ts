import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const TABLES = [
  `create table t (
    id int not null primary key, v varchar(10) not null, a_id int, b_id int,
    foreign key (a_id) references t (id), foreign key (b_id) references t (id)
  )`,
  `insert into t values (1, 'x', null, null)`,
  `insert into t values (2, 'y', 1, 1)`,
  `insert into t values (3, 'z', 2, 1)`,
];

const at = (attribute: string, op: string, value: unknown): unknown => ({ attribute, op, value });

const to = (attribute: string, inverse: string) =>
  ({ model: 't', attributes: [attribute], key: ['id'], inverse }) as const;

const MODELS = { t: { relations: { a: to('a_id', 'as'), b: to('b_id', 'bs') } } };

/** Seven paths on the records that refer to a record: with that, as many as there may be. */
const PATHS = [
  at('a.b.id', 'gt', 0),
  at('b.a.id', 'gt', 0),
  at('a.a.a.id', 'gt', 0),
  at('a.id', 'gt', 0),
  at('b.id', 'gt', 0),
  at('a.a.id', 'gt', 0),
  at('b.b.v', 'eq', 'nothing'),
];

describe.each(FIXTURES)("a facet's own filter on $name", (fixture) => {
  let engine: Engine;

  beforeAll(async () => {
    const database = await fixture.create();
    await database.execute(TABLES);
    engine = await open(database.url, { models: MODELS });
  });

  const found = async (filter: unknown): Promise<unknown> => {
    const facet = { attribute: 'v', values: 10, query_filter: filter };
    const body = { query_model: 't', query_facets: [facet] };
    const { json } = await engine.facets(body, EVERYTHING);
    return (JSON.parse(json) as { facets: readonly { values: unknown }[] }).facets[0]?.values;
  };

  it('keeps each of its conditions, however many paths they look along', async () => {
    const values = await found({ related: 'as', some: { and: PATHS } });
    expect(values).toEqual([]);
  });

  it('keeps the parts of which one is enough', async () => {
    const values = await found({ related: 'as', some: { or: PATHS } });
    expect(values).toEqual([
      { value: 'x', count: '1' },
      { value: 'y', count: '1' },
    ]);
  });
});
