import { expect, test } from 'vitest';

import {
  busyShare,
  type CpuProfile,
  lastSeconds,
  shortName,
  topFiles,
  topFunctions,
} from './cpu-profile.ts';

const frame = (functionName: string, url: string, lineNumber = 0) => ({
  functionName,
  url,
  lineNumber,
});
const ENGINE = 'file:///home/me/packages/engine/dist/engine.js';

const PROFILE: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(idle)', '', -1) },
    { id: 2, callFrame: frame('query', ENGINE, 9) },
    { id: 3, callFrame: frame('', ENGINE, 19) },
    { id: 4, callFrame: frame('writev', '', -1) },
  ],
  samples: [1, 2, 3, 4, 4],
  timeDeltas: [500_000, 300_000, 100_000, 50_000, 50_000],
};

test('time that was idle is no work', () => {
  expect(busyShare(PROFILE)).toBe(0.5);
  expect(topFiles(PROFILE, 9).map(({ name }) => name)).not.toContain('(idle)');
});

test('functions come with file and line, most time first', () => {
  expect(topFunctions(PROFILE, 2)).toEqual([
    { name: 'query engine/dist/engine.js:10', share: 0.6 },
    { name: '(anonymous) engine/dist/engine.js:20', share: 0.2 },
  ]);
});

test('the functions of a file count together', () => {
  const [first, second] = topFiles(PROFILE, 2);
  expect(first?.name).toBe('engine/dist/engine.js');
  expect(first?.share).toBeCloseTo(0.8);
  expect(second?.name).toBe('writev');
});

test('only the last seconds can be kept', () => {
  expect(lastSeconds(PROFILE, 0.1).samples).toEqual([4, 4]);
  expect(lastSeconds(PROFILE, 60).samples).toEqual(PROFILE.samples);
});

test('names are as short as they can be and still distinct', () => {
  expect(shortName('file:///a/node_modules/.pnpm/pg@8/node_modules/pg/lib/query.js')).toBe(
    'pg/lib/query.js',
  );
  expect(shortName('file:///a/apps/server/dist/app.js')).toBe('server/dist/app.js');
  expect(shortName('node:events')).toBe('node:events');
});
