import { readdirSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { ensureDemoDatabase } from '../src/build-demo.ts';
import { dataDirectory } from './data-directory.ts';
import { buildInProcess, finished, GOOD, stateOf } from './interrupted.ts';

describe('a build that is killed', () => {
  it('with the file written and not yet named leaves no finished file, and the next call builds one', async () => {
    const directory = dataDirectory();
    expect(await buildInProcess(directory, '0.98')).toMatchObject({ signal: 'SIGKILL', file: '' });
    expect(finished(directory)).toEqual([]);
    expect(readdirSync(directory)).toHaveLength(1);
    expect(stateOf(await ensureDemoDatabase({ directory }))).toEqual(GOOD);
  });
});

describe('two builds at once', () => {
  it('end with the same good file, and with no other', async () => {
    const directory = dataDirectory();
    const [one, other] = await Promise.all([
      ensureDemoDatabase({ directory }),
      ensureDemoDatabase({ directory }),
    ]);
    expect(other).toBe(one);
    expect(readdirSync(directory)).toHaveLength(1);
    expect(stateOf(one)).toEqual(GOOD);
  });
});
