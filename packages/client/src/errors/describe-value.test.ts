import { expect, it } from 'vitest';

import { describeValue } from './describe-value.ts';

it.each([
  [undefined, 'nothing'],
  [null, 'null'],
  ['a "b"', '"a \\"b\\""'],
  [1.5, '1.5'],
  [Number.NaN, 'NaN'],
  [12n, '12'],
  [false, 'false'],
  [[1, 2], 'an array of 2'],
  [{ a: 1 }, 'an object'],
  [describeValue, 'a function'],
  ['x'.repeat(100), `"${'x'.repeat(59)}…`],
])('describes %o as %s', (value, text) => {
  expect(describeValue(value)).toBe(text);
});
