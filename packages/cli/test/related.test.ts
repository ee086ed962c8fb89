import { expect, it } from 'vitest';

import { dq } from './dq.ts';
import { linkedCities } from './service/cities.ts';
import { serve } from './service/serve.ts';

const LARGEST = 'largest = max parts.population where population > 10';

const RELATED = [
  { name: 'parts_count', related: 'parts', op: 'count' },
  {
    name: 'largest',
    related: 'parts',
    op: 'max',
    attribute: 'population',
    filter: { attribute: 'population', op: 'gt', value: '10' },
  },
];

it.each([['query'], ['export', '--paged'], ['watch', '--once']])(
  'counts related records with dq %s, as attributes that all flags take',
  async (command, ...more) => {
    const { url, queries } = await serve(linkedCities());
    const related = ['--related', 'parts_count = count parts', '--related', LARGEST];
    const terms = ['-a', 'name,parts_count', '--sort', '-parts_count', '--filter', 'largest > 1'];
    await dq([command, 'cities', ...more, ...terms, ...related], { url });
    expect(JSON.parse(queries[0] ?? '')).toMatchObject({
      query_attributes: ['name', 'parts_count'],
      query_related: RELATED,
      query_sort: [{ attribute: 'parts_count', direction: 'desc' }],
      query_filter: { attribute: 'largest', op: 'gt', value: '1' },
    });
  },
);

it('counts related records of groups and facets', async () => {
  const { url, queries } = await serve(linkedCities());
  const related = ['--related', 'parts_count = count parts', '--related', LARGEST];
  const filter = ['--filter', 'largest > 1'];
  const groups = ['--by', 'parts_count', '--max', 'largest', '--having', 'max_largest > 5'];
  await dq(['groups', 'cities', ...groups, ...related, ...filter], { url });
  await dq(['facets', 'cities', 'parts_count:bins=5', ...related, ...filter], { url });
  const [grouped, counted] = queries.map((body) => JSON.parse(body) as object);
  const asked = {
    query_related: RELATED,
    query_filter: { attribute: 'largest', op: 'gt', value: '1' },
  };
  expect(grouped).toMatchObject({
    ...asked,
    query_groups: ['parts_count'],
    query_aggregates: [{ name: 'max_largest', op: 'max', attribute: 'largest' }],
    query_group_filter: { attribute: 'max_largest', op: 'gt', value: '5' },
  });
  expect(counted).toMatchObject({
    ...asked,
    query_facets: [{ attribute: 'parts_count', bins: 5 }],
  });
});

it.each([
  ['parts', 'dq: --related: column 6: expected "=".'],
  ['n = total parts', 'dq: --related: column 5: expected one of count, count_distinct, sum'],
  ['n = count part', 'dq: --related: column 11: nothing refers to cities by "part". Names: parts.'],
  ['n = count parts where nope = 1', 'dq: --related: column 23: cities has no attribute "nope".'],
])('says what is wrong with --related "%s"', async (text, message) => {
  const { url } = await serve(linkedCities());
  const { stderr, exitCode } = await dq(['query', 'cities', '--related', text], { url });
  expect(stderr).toContain(message);
  expect(exitCode).toBe(2);
});

it('refuses two counts of one name', async () => {
  const { url } = await serve(linkedCities());
  const twice = ['--related', 'n = count parts', '--related', 'n = count parts.name'];
  const { stderr, exitCode } = await dq(['query', 'cities', ...twice], { url });
  expect(stderr).toContain('dq: --related: "n" is named twice.');
  expect(exitCode).toBe(2);
});
