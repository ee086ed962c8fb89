import { expect, it } from 'vitest';

import { TOKEN } from '../support/service.ts';
import { DEMO } from './demo.ts';
import { dq } from './dq.ts';

it('prints facets into a pipe as the service sends them', async () => {
  const response = await fetch(`${DEMO.origin}/api/v1/dynamic/facets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query_model: 'cities',
      query_filter: { attribute: 'population', op: 'gte', value: '100000' },
      query_facets: [
        { attribute: 'country_code', values: 3 },
        { attribute: 'population', bins: 4 },
        { attribute: 'name', values: 20 },
      ],
    }),
  });
  const facets = ['country_code:values=3', 'population:bins=4', 'name'];
  const flags = ['--filter', 'population >= 100000'];
  expect(await dq(['facets', 'cities', ...facets, ...flags], DEMO)).toEqual({
    code: 0,
    stdout: `${JSON.stringify(await response.json())}\n`,
    stderr: '',
  });
});
