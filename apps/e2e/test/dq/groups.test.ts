import { describe, expect, it } from 'vitest';

import { TOKEN } from '../support/service.ts';
import { DEMO } from './demo.ts';
import { dq } from './dq.ts';

const CONTINENTS = ['groups', 'cities', '--by', 'country.continent.name'];

describe('dq groups', () => {
  it('prints a page of groups into a pipe as the service sends it', async () => {
    const response = await fetch(`${DEMO.origin}/api/v1/dynamic/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query_model: 'cities',
        query_attributes: ['country.continent.name', 'count', 'sum_population', 'max_name'],
        query_groups: ['country.continent.name'],
        query_aggregates: [
          { name: 'count', op: 'count' },
          { name: 'sum_population', op: 'sum', attribute: 'population' },
          { name: 'max_name', op: 'max', attribute: 'name' },
        ],
        query_filter: { attribute: 'population', op: 'gte', value: '1000' },
        query_group_filter: { attribute: 'count', op: 'gt', value: '1000' },
        query_sort: [{ attribute: 'sum_population', direction: 'desc' }],
        page: { page: 1, size: 3 },
      }),
    });
    const computed = ['--count', '--sum', 'population', '--max', 'name'];
    const kept = ['--filter', 'population >= 1000', '--having', 'count > 1000'];
    const shown = ['--sort', '-sum_population', '--size', '3'];
    expect(await dq([...CONTINENTS, ...computed, ...kept, ...shown], DEMO)).toMatchObject({
      code: 0,
      stdout: `${JSON.stringify(await response.json())}\n`,
    });
  });

  it('counts records where nothing else is to be computed', async () => {
    const { stdout } = await dq([...CONTINENTS, '--size', '1'], DEMO);
    const { result } = JSON.parse(stdout) as { result: object[] };
    expect(Object.keys(result[0] ?? {})).toEqual(['country.continent.name', 'count']);
  });

  it.each<[string, readonly string[], string]>([
    ['an attribute', ['--by', 'nothing'], '--by: cities has no attribute "nothing"'],
    ['a path', [...CONTINENTS.slice(2), '--sum', 'country.nope'], 'no attribute "country.nope"'],
    ['a part of time', ['--by', 'name:month'], '--by name:month: name is of type text'],
    ['a sum', ['--by', 'name', '--sum', 'name'], '--sum: name is of type text, which has no sum'],
    ['a sort', ['--by', 'name', '--sort', 'population'], '--sort: cities has no attribute'],
    ['a condition', ['--by', 'name', '--having', 'population > 1'], '--having'],
    ['its groups', [], "required option '--by <names>' not specified"],
  ])('says what is wrong with %s, and with code 2', async (_what, words, message) => {
    const { code, stderr } = await dq(['groups', 'cities', ...words], DEMO);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
