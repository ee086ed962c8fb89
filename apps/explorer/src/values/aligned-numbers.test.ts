import { expect, it } from 'vitest';

import { alignedNumbers } from './aligned-numbers.ts';

it('numbers of a column end at one place, their digits in groups', () => {
  expect(alignedNumbers(['1234567', '-5', '0'])).toEqual(['1,234,567', '-5', '0']);
});

it('numbers with fractions have their points below each other', () => {
  const aligned = alignedNumbers(['1200.5', '7', '0.125']);
  expect(aligned).toEqual(['1,200.5\u2007\u2007', '7\u2008\u2007\u2007\u2007', '0.125']);
});

it('a fraction of many digits says that it goes on', () => {
  expect(alignedNumbers(['54.3529411764705882'])).toEqual(['54.352941…']);
});

it('what is no decimal number stays as it is', () => {
  expect(alignedNumbers(['NaN', '1e21', ''])).toEqual(['NaN', '1e21', '']);
  expect(alignedNumbers([])).toEqual([]);
});
