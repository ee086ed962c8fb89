import { DatabaseSync } from 'node:sqlite';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { DEMO, demoFile } from '../dq/demo.ts';
import { TOKEN } from '../support/service.ts';
import { type Agent, startedAgent } from './agent.ts';

let database: DatabaseSync;
let agent: Agent;

beforeAll(async () => {
  agent = await startedAgent({ origin: DEMO.origin, token: TOKEN });
  database = new DatabaseSync(await demoFile(), { readOnly: true });
});

afterAll(() => database.close());

/** The first row of a statement. */
function first(sql: string): Readonly<Record<string, unknown>> {
  return { ...database.prepare(sql).get() };
}

const RELATED = ['large = count cities where population > 1000000'];

it.each([
  [
    { model: 'countries', related: RELATED, filter: 'large >= 10' },
    `select count(*) as count from (select 1 from cities where population > 1000000
     group by country_code having count(*) >= 10)`,
  ],
  [
    { model: 'cities', filter: "country.continent.name = 'Africa' and name contains ''''" },
    `select count(*) as count from cities join countries on code = country_code
     where continent_code = 'AF' and instr(cities.name, '''') > 0`,
  ],
  [
    { model: 'countries', filter: 'some cities (population >= 10000000)' },
    'select count(distinct country_code) as count from cities where population >= 10000000',
  ],
  [
    { model: 'cities', filter: { attribute: 'feature_code', op: 'eq', value: 'PPLC' } },
    "select count(*) as count from cities where feature_code = 'PPLC'",
  ],
])('counts the records of %j', async (args, sql) => {
  const { facts } = await agent.call('count_values', args);
  expect(facts['count']).toBe(String(first(sql)['count']));
});

it('sums up groups, and reads those that are wanted in their order', async () => {
  const { facts } = await agent.call('count_values', {
    model: 'cities',
    by: ['country.continent.name'],
    compute: ['sum(population)'],
    having: 'count > 1000 and sum_population >= 50000000',
    sort: ['sum_population desc'],
  });
  const groups = `select continents.name as "country.continent.name",
      cast(count(*) as text) as count, cast(sum(population) as text) as sum_population
    from cities join countries on countries.code = country_code
    join continents on continents.code = continent_code group by continents.code
    having count(*) > 1000 and sum(population) >= 50000000 order by sum(population) desc`;
  expect(facts['groups']).toEqual(
    database
      .prepare(groups)
      .all()
      .map((group) => ({ ...group })),
  );
});

it.each([
  [
    'query_records',
    { model: 'cities', sort: ['population desc nulls last'], size: 1, attributes: ['name'] },
    'select name from cities where population is not null order by population desc limit 1',
  ],
  [
    'query_records',
    {
      model: 'countries',
      related: ['places = count cities'],
      sort: ['-places'],
      size: 1,
      attributes: ['places'],
    },
    `select cast(count(*) as text) as places from cities group by country_code
     order by count(*) desc limit 1`,
  ],
] as const)('%s reads the first record of %j', async (tool, args, sql) => {
  const { facts } = await agent.call(tool, args);
  expect(facts['records']).toEqual([first(sql)]);
});

it('finds the place of a record in a list that is filtered and sorted', async () => {
  const { facts } = await agent.call('find_record_page', {
    model: 'cities',
    key: { id: '3936456' },
    filter: "country_code = 'PE'",
    sort: ['name'],
  });
  const before = `select count(*) as rank from cities where country_code = 'PE'
    and (name < 'Lima' or (name = 'Lima' and id <= 3936456))`;
  expect(facts['rank']).toBe(String(first(before)['rank']));
});

it.each([
  [
    'count_values',
    { model: 'cities', filter: "country.nam = 'Chile'" },
    'Did you mean country.name?',
  ],
  ['count_values', { model: 'cities', by: ['country.nme'] }, 'Did you mean "country.name"?'],
  ['query_records', { model: 'cities', sort: ['lattitude'] }, 'Did you mean "latitude"?'],
  ['query_records', { model: 'languages', size: 5000 }, 'at most 1000 records per page'],
  ['query_records', { table: 'cities' }, 'For table use model.'],
])('answers %s of %o with what to write instead', async (tool, args, words) => {
  const { isError, text } = await agent.call(tool, args);
  expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining(words) });
});
