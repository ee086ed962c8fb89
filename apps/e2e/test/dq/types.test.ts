import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it, onTestFinished } from 'vitest';

import { DEMO } from './demo.ts';
import { dq } from './dq.ts';

const USE = `import { createClient } from '@proj/client';
import type { Models } from './models.ts';

const client = createClient<Models>({ baseUrl: 'https://data.example.com', token: 't', int64: 'bigint' });
const page = await client.query({ model: 'cities', attributes: ['name', 'population', 'latitude'], page: 1, size: 10 });
export const name: string | undefined = page.records[0]?.name;
export const population: bigint | null | undefined = page.records[0]?.population;
for await (const { is_right_to_left } of client.records({ model: 'languages', attributes: ['is_right_to_left'], size: 10 })) {
  const flag: boolean = is_right_to_left;
  console.log(flag);
}
`;

/** What the compiler says of a program beside the models, as a user of the SDK would compile it. */
async function compile(models: string, program: string): Promise<string> {
  // Below the package, where the SDK is found.
  const cache = join(import.meta.dirname, '../../node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'compiled-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'models.ts'), models);
  await writeFile(join(folder, 'use.ts'), program);
  const tsc = join(import.meta.dirname, '../../../../node_modules/.bin/tsc');
  const flags = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--target',
    'es2024',
    '--module',
    'nodenext',
    '--allowImportingTsExtensions',
  ];
  return promisify(execFile)(tsc, [...flags, join(folder, 'use.ts')]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
}

it('prints types of the demo with which a program of the SDK compiles, and a wrong one does not', async () => {
  const { code, stdout: models, stderr } = await dq(['types', '--int64', 'bigint'], DEMO);
  expect([code, stderr]).toEqual([0, '']);
  expect(await compile(models, USE)).toBe('');
  expect(await compile(models, USE.replace("model: 'cities'", "model: 'citys'"))).toContain(
    '"citys"',
  );
  expect(
    await compile(models, USE.replace("['name', 'population'", "['nam', 'population'")),
  ).toContain('"nam"');
  const filtered = (filter: string): string =>
    USE.replace('page: 1,', `page: 1, filter: ${filter},`);
  const text = `{ attribute: 'name', op: 'contains', value: 'abc' }`;
  expect(await compile(models, filtered(text))).toBe('');
  expect(await compile(models, filtered(text.replace('name', 'population')))).toContain('contains');
  expect(await compile(models, USE.replace('bigint | null | undefined', 'string'))).toContain(
    "not assignable to type 'string'",
  );
});
