/** How the answer is read from what a tool says. */
export type Reading =
  | 'count'
  | 'groups'
  | 'walk'
  | 'rank'
  | { readonly first: string }
  | { readonly last: string };

/** A question with a known answer. */
export interface Question {
  readonly ask: string;
  readonly tool: 'query_records' | 'count_values' | 'find_record_page';
  /** What is written at first, which may be wrong. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly read: Reading;
  /** A statement that gives the answer. */
  readonly sql: string;
}

type Terms = readonly [ask: string, args: Question['args'], sql: string];

const counting = (asked: readonly Terms[]): Question[] =>
  asked.map(([ask, args, sql]) => ({ ask, args, sql, tool: 'count_values', read: 'count' }));

const COUNTS = counting([
  ['places', { model: 'cities' }, 'select count(*) from cities'],
  [
    'countries of ten large places or more',
    {
      model: 'countries',
      related: ['large = count cities where population > 1000000'],
      filter: 'large >= 10',
    },
    'select count(*) from (select country_code from cities where population > 1000000 ' +
      'group by country_code having count(*) >= 10)',
  ],
  [
    'places with an apostrophe',
    { model: 'cities', filter: "name contains ''''" },
    "select count(*) from cities where instr(name, '''') > 0",
  ],
  [
    'places in Africa of half a million',
    { model: 'cities', filter: "country.continent.name = 'Africa' and population >= 500000" },
    `select count(*) from cities join countries on code = country_code
     where continent_code = 'AF' and population >= 500000`,
  ],
  [
    'countries with a city of ten million',
    { model: 'countries', filter: 'some cities (population >= 10000000)' },
    'select count(distinct country_code) from cities where population >= 10000000',
  ],
  [
    'capitals of countries',
    { model: 'cities', filter: { attribute: 'feature_code', op: 'eq', value: 'PPLC' } },
    "select count(*) from cities where feature_code = 'PPLC'",
  ],
]);

const groups = (asked: readonly Terms[]): Question[] =>
  asked.map(([ask, args, sql]) => ({ ask, args, sql, tool: 'count_values', read: 'groups' }));

const GROUPS = groups([
  [
    'kinds of places',
    { model: 'cities', by: ['feature_code'], size: 3 },
    'select count(distinct feature_code) from cities',
  ],
  [
    'countries with more than a thousand places',
    { model: 'cities', by: ['country.name'], having: 'count > 1000' },
    'select count(*) from (select 1 from cities group by country_code having count(*) > 1000)',
  ],
  [
    'countries whose places have fifty million people together',
    {
      model: 'cities',
      by: ['country_code'],
      compute: ['sum(population)'],
      having: 'sum_population >= 50000000',
    },
    `select count(*) from
     (select 1 from cities group by country_code having sum(population) >= 50000000)`,
  ],
  [
    'countries with a place of a million, by kind of place',
    { model: 'cities', by: ['country_code', 'feature_code'], filter: 'population >= 1000000' },
    `select count(*) from (select 1 from cities where population >= 1000000
     group by country_code, feature_code)`,
  ],
]);

const valued = (asked: readonly (readonly [...Terms, name: string])[]): Question[] =>
  asked.map(([ask, args, sql, name]) => ({
    ask,
    args,
    sql,
    tool: 'count_values',
    read: { first: name },
  }));

const VALUES = valued([
  [
    'people in all places',
    { model: 'cities', compute: ['sum(population)'] },
    'select sum(population) from cities',
    'sum_population',
  ],
  [
    'the country with the most places',
    { model: 'cities', by: ['country.name'], size: 1 },
    `select countries.name from cities join countries on code = country_code
     group by code order by count(*) desc limit 1`,
    'country.name',
  ],
  [
    'the continent with the most people in places',
    {
      model: 'cities',
      by: ['country.continent.name'],
      compute: ['sum(population)'],
      sort: ['sum_population desc'],
      size: 1,
    },
    `select continents.name from cities join countries on countries.code = country_code
     join continents on continents.code = continent_code
     group by continents.code order by sum(population) desc limit 1`,
    'country.continent.name',
  ],
]);

const LISTS: readonly Question[] = [
  {
    ask: 'the same with attributes that leave no room for a page',
    tool: 'query_records',
    args: { model: 'time_zones', size: 1000 },
    read: 'walk',
    sql: 'select count(*) from time_zones',
  },
  {
    ask: 'the largest place',
    tool: 'query_records',
    args: { model: 'cities', sort: ['population desc nulls last'], size: 1 },
    read: { first: 'name' },
    sql: 'select name from cities where population is not null order by population desc limit 1',
  },
  {
    ask: 'how many places the country with the most has',
    tool: 'query_records',
    args: { model: 'countries', related: ['places = count cities'], sort: ['-places'], size: 1 },
    read: { first: 'places' },
    sql: 'select count(*) n from cities group by country_code order by n desc limit 1',
  },
  {
    ask: 'the last language by its name',
    tool: 'query_records',
    args: { model: 'languages', attributes: ['name'], sort: ['name'], size: 60 },
    read: { last: 'name' },
    sql: 'select name from languages order by name desc limit 1',
  },
  {
    ask: 'the place of Lima in Peru by its name',
    tool: 'find_record_page',
    args: {
      model: 'cities',
      key: { id: '3936456' },
      filter: "country_code = 'PE'",
      sort: ['name'],
    },
    read: 'rank',
    sql: `select count(*) from cities where country_code = 'PE'
          and (name < 'Lima' or (name = 'Lima' and id <= 3936456))`,
  },
];

/** Whose first call is wrong, so that what the error says has to lead to the right one. */
const MISTAKES: readonly Question[] = [
  ...counting([
    ['a wrong model', { model: 'citys' }, 'select count(*) from cities'],
    [
      'a wrong attribute in a filter',
      { model: 'cities', filter: 'populaton > 1000000' },
      'select count(*) from cities where population > 1000000',
    ],
    [
      'a wrong path',
      { model: 'cities', filter: "country.nam = 'Chile'" },
      "select count(*) from cities where country_code = 'CL'",
    ],
    [
      'a text without quotes',
      { model: 'cities', filter: 'country_code = PE' },
      "select count(*) from cities where country_code = 'PE'",
    ],
    [
      'an argument by another name',
      { model: 'cities', where: "country_code = 'PE'" },
      "select count(*) from cities where country_code = 'PE'",
    ],
    [
      'two mistakes',
      { table: 'cities', filter: 'popolation > 1000000' },
      'select count(*) from cities where population > 1000000',
    ],
  ]),
  ...groups([
    [
      'a wrong attribute to group by',
      { model: 'cities', by: ['country.nme'] },
      'select count(distinct country_code) from cities',
    ],
  ]),
  {
    ask: 'a size that is too large',
    tool: 'query_records',
    args: { model: 'languages', attributes: ['nmae'], size: 5000 },
    read: 'walk',
    sql: 'select count(*) from languages',
  },
  {
    ask: 'a limit',
    tool: 'query_records',
    args: { model: 'cities', sort: ['population desc nulls last'], limit: 1 },
    read: { first: 'name' },
    sql: 'select name from cities where population is not null order by population desc limit 1',
  },
  {
    ask: 'a wrong order',
    tool: 'query_records',
    args: { model: 'cities', sort: ['lattitude desc'], attributes: ['id'], size: 1 },
    read: { first: 'id' },
    sql: 'select id from cities order by latitude desc, id limit 1',
  },
];

/** The questions by their kind. */
export const QUESTIONS: Readonly<Record<string, readonly Question[]>> = {
  'how many': COUNTS,
  'how many groups': GROUPS,
  'how much, and which': VALUES,
  'records and places': LISTS,
  'after a mistake': MISTAKES,
};
