import { expect, it } from 'vitest';

import { addScaled, averageOf, printScaled, readScaled, trimScaled } from './scaled.ts';

const read = (text: string) => readScaled(text) ?? { units: 0n, scale: 0 };

it.each(['0', '12.50', '-0.001', '-7', '123456789012345678901234567890.5'])(
  'the decimal %s is read and printed without loss',
  (text) => {
    expect(printScaled(read(text))).toBe(text);
  },
);

it.each(['', 'NaN', '1e3', '.5', '1.', ' 1', '--1'])('the text %j is no decimal', (text) => {
  expect(readScaled(text)).toBeUndefined();
});

it('sums are exact', () => {
  const numbers = ['0.1', '0.2', '-0.30', '9223372036854775807', '9223372036854775807'];
  expect(printScaled(addScaled(numbers.map(read)))).toBe('18446744073709551614.00');
  expect(printScaled(addScaled([]))).toBe('0');
});

it.each([
  ['10', 4n, '2.5'],
  ['10', 3n, '3.3333333333333333'],
  ['20', 3n, '6.6666666666666667'],
  ['-20', 3n, '-6.6666666666666667'],
  ['0.00000000000000000001', 1n, '0.00000000000000000001'],
  ['0', 3n, '0'],
] as const)('the average of %s over %s is %s', (sum, count, average) => {
  expect(printScaled(trimScaled(averageOf(read(sum), count)))).toBe(average);
});
