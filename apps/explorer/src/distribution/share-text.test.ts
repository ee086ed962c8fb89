import { expect, it } from 'vitest';

import { shareText } from './share-text.ts';

it.each([
  [0n, 0n, '0 %'],
  [0n, 5n, '0 %'],
  [5n, 5n, '100 %'],
  [1n, 3n, '33.3 %'],
  [2n, 3n, '66.7 %'],
  [1n, 1_000_000n, '< 0.1 %'],
  [999_999n, 1_000_000n, '> 99.9 %'],
  [10n ** 18n, 2n * 10n ** 18n, '50.0 %'],
])('%d of %d is %s', (count, total, text) => {
  expect(shareText(count, total)).toBe(text);
});
