import { join } from 'node:path';

import { expect, it } from 'vitest';

import { compile } from '../../../../packages/cli/test/compile.ts';
import { DEMO } from './demo.ts';
import { dq } from './dq.ts';

const ROOT = join(import.meta.dirname, '../..');

const USE = `import { createClient } from '@proj/client';
import type { Models } from './models.ts';

const client = createClient<Models>({ baseUrl: 'https://data.example.com', token: 't', int64: 'bigint' });
const page = await client.query({ model: 'cities', attributes: ['name', 'population', 'latitude'], page: 1, size: 10 });
export const name: string | undefined = page.records[0]?.name;
export const population: bigint | null | undefined = page.records[0]?.population;
for await (const { is_right_to_left } of client.records({ model: 'languages', attributes: ['is_right_to_left'], size: 10 })) {
  const flag: boolean | string = is_right_to_left;
  console.log(flag);
}
`;

it('prints types of the demo with which a program of the SDK compiles, and a wrong one does not', async () => {
  const { code, stdout: models, stderr } = await dq(['types', '--int64', 'bigint'], DEMO);
  expect([code, stderr]).toEqual([0, '']);
  const filtered = (filter: string): string =>
    USE.replace('page: 1,', `page: 1, filter: ${filter},`);
  const text = `{ attribute: 'name', op: 'contains', value: 'abc' }`;
  const programs = {
    right: USE,
    rightFilter: filtered(text),
    wrongModel: USE.replace("model: 'cities'", "model: 'citys'"),
    wrongAttribute: USE.replace("['name', 'population'", "['nam', 'population'"),
    wrongOperator: filtered(text.replace('name', 'population')),
    wrongType: USE.replace('bigint | null | undefined', 'string'),
  };
  const said = await compile({ root: ROOT, models, programs });
  expect([said('right'), said('rightFilter')]).toEqual(['', '']);
  expect(said('wrongModel')).toContain('"citys"');
  expect(said('wrongAttribute')).toContain('"nam"');
  expect(said('wrongOperator')).toContain('contains');
  expect(said('wrongType')).toContain("not assignable to type 'string'");
});
