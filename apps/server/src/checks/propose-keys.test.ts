import { expect, it, onTestFinished, vi } from 'vitest';

import { inShares } from './propose-keys.ts';

it('looks at each relation for a tenth of the time that is left, and at the last ones for more', async () => {
  vi.useFakeTimers({ toFake: ['performance'], now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const relations = Array.from({ length: 12 }, (_, index) => index);
  const began = performance.now();
  const shares = await inShares(relations, began + 10_000, async (relation, end) => {
    const share = end - performance.now();
    // The first two and the tenth take all of theirs, the others no time.
    if ([0, 1, 9].includes(relation)) vi.advanceTimersByTime(share);
    return share;
  });
  expect(shares.map(Math.round)).toEqual([
    1000, 900, 810, 900, 1013, 1157, 1350, 1620, 2025, 2700, 2700, 5400,
  ]);
});
