import { nameText } from '@proj/contract';
import { expect, it } from 'vitest';

import { dq, type Outcome } from './dq.ts';
import { cities, type Model } from './service/cities.ts';
import { serve } from './service/serve.ts';

/** Names that a command line could read as others, or as several. */
const ODD = ['name ', 'a,b', 'unit price', 'a where b', 'n:values', '-n', 'x=y', 'back`tick', 'or'];

function oddCities(): Model {
  const { entry, records } = cities(3);
  const text = entry.attributes.find(({ name }) => name === 'name') ?? entry.attributes[0];
  const attributes = [
    ...entry.attributes,
    ...ODD.map((name) => ({ ...text, name })),
  ] as typeof entry.attributes;
  return {
    entry: { ...entry, attributes, key: ['x=y', 'unit price'] },
    records: records.map((record, row) => ({
      ...record,
      ...Object.fromEntries(ODD.map((name) => [name, `${name}${row}`])),
    })),
  };
}

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

async function asked(args: readonly string[]): Promise<Outcome & { readonly queries: unknown[] }> {
  const { url, queries } = await serve(oddCities());
  const outcome = await dq(args, { url });
  return { ...outcome, queries: queries.map((query) => JSON.parse(query)) };
}

it('reads names in backticks in every list of names, as in a filter', async () => {
  const names = ['name', ...ODD];
  const list = names.map(quoted).join(', ');
  const sort = [
    `-${quoted('a,b')}`,
    `${quoted('name ')}:nulls-first`,
    `-${quoted('-n')}:nulls-last`,
  ];
  const { queries, stderr } = await asked([
    'query',
    'cities',
    '-a',
    list,
    '--sort',
    sort.join(' , '),
    '-f',
    '`x=y` is not null',
  ]);
  expect(stderr).toBe('');
  expect(queries).toMatchObject([
    {
      query_attributes: names,
      query_filter: { attribute: 'x=y' },
      query_sort: [
        { attribute: 'a,b', direction: 'desc' },
        { attribute: 'name ', direction: 'asc', nulls: 'first' },
        { attribute: '-n', direction: 'desc', nulls: 'last' },
      ],
    },
  ]);
});

it('reads names in backticks in facets, with what is behind them', async () => {
  const { stdout, stderr } = await asked([
    'facets',
    'cities',
    '`n:values`:values=2',
    '`name `',
    "`a where b` where `a,b` = 'a,b1'",
  ]);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({
    facets: [{ attribute: 'n:values' }, { attribute: 'name ' }, { attribute: 'a where b' }],
  });
});

it('reads names in backticks in groups', async () => {
  const { queries } = await asked([
    'groups',
    'cities',
    '--by',
    '`a,b`,`founded`:month',
    '--min',
    '`name `',
    '--max',
    'name',
  ]);
  expect(queries).toMatchObject([
    {
      query_groups: ['a,b', { attribute: 'founded', by: 'month' }],
      query_aggregates: [{ attribute: 'name ' }, { attribute: 'name' }],
    },
  ]);
});

it('reads the zone of days and of bins', async () => {
  const { queries } = await asked(['groups', 'cities', '--by', 'founded:day@Europe/Paris']);
  const group = { attribute: 'founded', by: 'day', time_zone: 'Europe/Paris' };
  expect(queries).toMatchObject([{ query_groups: [group] }]);
  const facets = await asked(['facets', 'cities', 'founded:bins=3@America/Port-au-Prince']);
  const facet = { attribute: 'founded', bins: 3, time_zone: 'America/Port-au-Prince' };
  expect(facets.queries).toMatchObject([{ query_facets: [facet] }]);
});

it('reads names in backticks in the key of a record', async () => {
  const { queries } = await asked(['page-of', 'cities', '`x=y`=x=y1', '`unit price`=unit price1']);
  expect(queries).toMatchObject([
    { page: { containing: { 'x=y': 'x=y1', 'unit price': 'unit price1' } } },
  ]);
});

it('names attributes in errors as they have to be written', async () => {
  const known = `It has ${[...cities(1).entry.attributes.map(({ name }) => name), ...ODD]
    .map((name) => (name === nameText(name) && !['-n', 'or'].includes(name) ? name : quoted(name)))
    .join(', ')}.`;
  for (const args of [
    ['query', 'cities', '-a', 'no'],
    ['query', 'cities', '-f', 'no = 1'],
    ['facets', 'cities', 'no'],
    ['groups', 'cities', '--by', 'no'],
  ])
    expect((await asked(args)).stderr).toContain(known);
});

it.each([
  [['query', '-a', '`name'], '--attributes: a backtick is never closed in `name.'],
  [
    ['query', '--sort', '`name`.x'],
    '--sort: expected a comma or :nulls-first behind `name`; got ".x".',
  ],
  [['groups', '--by', '`a,b`:'], '--by: expected a comma or :month behind `a,b`; got ":".'],
  [['facets', '`name`:bin'], '`name`:bin: expected :values=20, :bins=20 or'],
  [['page-of', '`x=y`z=1'], 'expected = behind `x=y`; got "z".'],
])('refuses %j and says what may be behind backticks', async ([command = '', ...args], message) => {
  const { stderr, exitCode } = await asked([command, 'cities', ...args]);
  expect(stderr).toContain(message);
  expect(exitCode).toBe(2);
});
