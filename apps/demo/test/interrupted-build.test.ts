import { readdirSync } from 'node:fs';

import { expect, it } from 'vitest';

import { ensureDemoDatabase } from '../src/build-demo.ts';
import { dataDirectory } from './data-directory.ts';
import { buildInProcess, finished, GOOD, stateOf } from './interrupted.ts';

it('a build that is killed with the file written and not yet named leaves no finished file, and the next two at once end with the same good one', async () => {
  const directory = dataDirectory();
  expect(await buildInProcess(directory, '0.98')).toMatchObject({ signal: 'SIGKILL', file: '' });
  expect(finished(directory)).toEqual([]);
  expect(readdirSync(directory)).toHaveLength(1);
  const [one, other] = await Promise.all([
    ensureDemoDatabase({ directory }),
    ensureDemoDatabase({ directory }),
  ]);
  expect(other).toBe(one);
  expect(finished(directory)).toHaveLength(1);
  expect(readdirSync(directory)).toHaveLength(2);
  expect(stateOf(one)).toEqual(GOOD);
});
