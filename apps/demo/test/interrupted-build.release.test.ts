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

describe('two builds at once in processes of their own', () => {
  it('end with the same good file, and with no other', async () => {
    const directory = dataDirectory();
    const [one, other] = await Promise.all([buildInProcess(directory), buildInProcess(directory)]);
    expect(one).toEqual({ code: 0, signal: null, file: expect.stringMatching(/\.db$/) });
    expect(other).toEqual(one);
    expect(readdirSync(directory)).toHaveLength(1);
    expect(stateOf(one.file)).toEqual(GOOD);
  });
});
