import { expect, it } from 'vitest';

import { limitConcurrency } from './limit-concurrency.ts';

it('runs at most the limit at a time, and all of them in order, failures included', async () => {
  const limited = limitConcurrency(2);
  const started: number[] = [];
  let running = 0;
  const results = await Promise.allSettled(
    [1, 2, 3, 4, 5].map((number) =>
      limited(async () => {
        started.push(number);
        running += 1;
        expect(running).toBeLessThanOrEqual(2);
        await Promise.resolve();
        running -= 1;
        if (number === 2) throw new Error('the second fails');
        return number;
      }),
    ),
  );
  expect(started).toEqual([1, 2, 3, 4, 5]);
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
});
