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

it.each([
  ['parts', 'dq: --related parts: expected a text such as "orders_count = count orders"'],
  ['n = total parts', 'dq: --related n = total parts: expected a text such as'],
  ['n = count part', 'dq: --related: nothing refers to cities by "part": parts.'],
  ['n = count parts where nope = 1', 'dq: --related: column 1: cities has no attribute "nope".'],
])('says what is wrong with --related "%s"', async (text, message) => {
  const { url } = await serve(linkedCities());
  const { stderr, exitCode } = await dq(['query', 'cities', '--related', text], { url });
  expect(stderr).toContain(message);
  expect(exitCode).toBe(2);
});
