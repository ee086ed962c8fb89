import { expect, it } from 'vitest';

import { TOKEN } from '../support/service.ts';
import { DEMO } from './demo.ts';
import { dq } from './dq.ts';

/** What the service answers to a plain request, in the members' own order. */
async function answer(path: string, body?: unknown): Promise<string> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const init =
    body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${DEMO.origin}/api/v1/dynamic/${path}`, init);
  expect(response.status).toBe(200);
  return `${JSON.stringify(await response.json())}\n`;
}

it('lists the models in a pipe as the service does', async () => {
  expect(await dq(['models'], DEMO)).toEqual({
    code: 0,
    stdout: (await answer('models')).replace(/,"time_zones":"\w+"/, ''),
    stderr: '',
  });
  expect(await dq(['models', 'countries'], DEMO)).toEqual({
    code: 0,
    stdout: await answer('models/countries'),
    stderr: '',
  });
});

it('prints a page into a pipe as the service sends it', async () => {
  const flags = [
    '-a',
    'name,population,latitude',
    '--filter',
    "country_code = 'FR' and population >= 100000",
  ];
  const place = ['--sort', '-population,name', '--page', '3', '--size', '7'];
  const wire = await answer('query', {
    query_model: 'cities',
    query_attributes: ['name', 'population', 'latitude'],
    query_filter: {
      and: [
        { attribute: 'country_code', op: 'eq', value: 'FR' },
        { attribute: 'population', op: 'gte', value: '100000' },
      ],
    },
    query_sort: [{ attribute: 'population', direction: 'desc' }, { attribute: 'name' }],
    page: { page: 3, size: 7 },
  });
  expect(wire).toContain('"page":{"page":"3","size":"7","total":');
  expect(await dq(['query', 'cities', ...flags, ...place], DEMO)).toEqual({
    code: 0,
    stdout: wire,
    stderr: '',
  });
});

it('prints values of every kind into a pipe as the service sends them', async () => {
  const attributes = ['code', 'capital', 'currency_codes', 'part_of_code'];
  const wire = await answer('query', {
    query_model: 'countries',
    query_attributes: attributes,
    page: { page: 1, size: 300 },
  });
  const { code, stdout } = await dq(
    ['query', 'countries', '-a', attributes.join(','), '--size', '300'],
    DEMO,
  );
  expect([code, stdout]).toEqual([0, wire]);
});

it.each([
  [
    ['query', 'cities', '-a', 'nam'],
    2,
    /^dq: --attributes: cities has no attribute "nam"\. .* Did you mean name\?\n$/,
  ],
  [
    ['query', 'citys'],
    1,
    /^dq: there is no model "citys" here\. Did you mean "cities"\? See: dq models\./,
  ],
  [
    ['query', 'cities', '-f', 'populaton > 1'],
    2,
    /^dq: --filter: .* Did you mean population\?\n {2}populaton > 1\n {2}\^\n$/,
  ],
] as const)(
  'refuses a name in %j with the one that the service means',
  async (args, exitCode, message) => {
    const { code, stdout, stderr } = await dq(args, DEMO);
    expect([code, stdout, stderr]).toEqual([exitCode, '', expect.stringMatching(message)]);
  },
);

it('passes on what the service says of a request', async () => {
  const { code, stdout, stderr } = await dq(['page-of', 'cities', 'id=1'], DEMO);
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    'dq: 400 record_not_in_list: the list has no record with this key. Check the key, and ' +
      '--filter where one is given.\n',
  ]);
});

it('says what is wrong with a key in words of the command line', async () => {
  const { code, stderr } = await dq(['page-of', 'cities', `id=${'9'.repeat(20)}`], DEMO);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^dq: the key: id: [^\n]+\n$/)]);
});
