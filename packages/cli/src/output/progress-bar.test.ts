import { expect, it } from 'vitest';

import { drawProgress } from './progress-bar.ts';

it('draws a bar of 24 cells where there is room', () => {
  expect(drawProgress({ read: 25_000, total: 100_000n }, 79)).toBe(
    '[######                  ]  25% 25,000 of 100,000 records',
  );
});

it.each([
  [39, { read: 42, total: 42n }, '[###############] 100% 42 of 42 records'],
  [39, { read: 25_000, total: 100_000n }, '[#     ]  25% 25,000 of 100,000 records'],
  [39, { read: 67_616, total: 135_233n }, '[##    ]  49% 67,616 of 135,233 records'],
  [39, { read: 5_000_000, total: 10_000_000n }, ' 50% 5,000,000 of 10,000,000 records'],
  [39, { read: 999_999_999, total: 1_000_000_000n }, ' 99% 999,999,999 of 1,000,000,000'],
  [39, { read: 1_234_567_890, total: 10_000_000_000n }, ' 12% 1,234,567,890 of 10,000,000,000'],
  [20, { read: 25_000, total: 100_000n }, '[###          ]  25%'],
  [3, { read: 1, total: 2n }, ''],
] as const)(
  'in %i cells shows what of %o fits, the counts before the bar',
  (width, progress, expected) => {
    const drawn = drawProgress(progress, width);
    expect(drawn.length).toBeLessThanOrEqual(width);
    expect(drawn).toBe(expected);
  },
);

it('is full where there is nothing to read', () => {
  expect(drawProgress({ read: 0, total: 0n }, 39)).toBe('[#################] 100% 0 of 0 records');
});

it('a read without a total is shown by how many records there are by now', () => {
  expect(drawProgress({ read: 25_000, total: null }, 79)).toBe('25,000 records');
  expect(drawProgress({ read: 25_000, total: null }, 6)).toBe('25,000');
});
