import { expect, it } from 'vitest';

import { ACCELERATION } from './acceleration.ts';

it('everything that makes replies cheap is on by default, in 64 MiB of memory', () => {
  expect(ACCELERATION).toEqual({
    shortPageProof: true,
    readBackwards: true,
    totalCache: true,
    pageIndex: true,
    replyCache: true,
    singleFlight: true,
    pageIndexMinOffset: 1000,
    leastCountMs: 5,
    indexBuildMs: 60_000,
    memoryBytes: 67_108_864,
  });
});
