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

it('says what is wrong with a key in words of the command line', async () => {
  const { code, stderr } = await dq(['page-of', 'cities', `id=${'9'.repeat(20)}`], DEMO);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^dq: the key: id: [^\n]+\n$/)]);
});
