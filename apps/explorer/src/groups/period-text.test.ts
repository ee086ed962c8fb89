import { expect, it } from 'vitest';

import { periodText } from './period-text.ts';

it.each([
  ['2026-01-01', 'year', '2026'],
  ['2026-10-01', 'quarter', '2026 Q4'],
  ['2026-02-01', 'month', '2026-02'],
  ['2026-02-02', 'week', '2026-02-02'],
  ['2026-02-02', undefined, '2026-02-02'],
  ['0044-03-15 BC', 'year', '0044-03-15 BC'],
  ['12026-01-01', 'month', '12026-01-01'],
] as const)('the date %s, cut to a %s, is shown as %s', (first, unit, text) => {
  expect(periodText(first, unit)).toBe(text);
});
