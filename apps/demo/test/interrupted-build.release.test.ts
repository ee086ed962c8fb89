import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ensureDemoDatabase } from '../src/build-demo.ts';
import { dataDirectory } from './data-directory.ts';
import { buildInProcess, finished, GOOD, stateOf } from './interrupted.ts';

describe('a build that is killed', () => {
  it.each([
    ['before a row is in', 0],
    ['among the rows', 0.5],
  ])('%s leaves no finished file, and the next call builds one', async (_when, dieAt) => {
    const directory = dataDirectory();
    expect(await buildInProcess(directory, String(dieAt))).toMatchObject({
      signal: 'SIGKILL',
      file: '',
    });
    expect(finished(directory)).toEqual([]);
    expect(readdirSync(directory)).toEqual([]);
    expect(stateOf(await ensureDemoDatabase({ directory }))).toEqual(GOOD);
  });

  it('from outside, at any moment, leaves no finished file or a good one', async () => {
    const directory = dataDirectory();
    for (const afterMs of [150, 400, 800]) {
      await buildInProcess(directory, '2', afterMs);
      for (const name of finished(directory)) expect(stateOf(join(directory, name))).toEqual(GOOD);
    }
    expect(stateOf(await ensureDemoDatabase({ directory }))).toEqual(GOOD);
  });
});
