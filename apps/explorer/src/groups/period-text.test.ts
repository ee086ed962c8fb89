import { expect, it } from 'vitest';

import { periodText } from './period-text.ts';

it.each([
  ['2026-01-01', 'year', '2026'],
  ['2026-10-01', 'quarter', '2026 Q4'],
  ['2026-02-01', 'month', '2026-02'],
  ['2026-02-02', 'week', '2026-02-02'],
  ['2026-02-02', undefined, '2026-02-02'],
  ['2024-10-27T02:00:00+02:00', 'hour', '2024-10-27 02:00+02:00'],
  ['2024-10-27T02:00:00Z', 'hour', '2024-10-27 02:00Z'],
  ['2024-10-27T02:00:00', 'hour', '2024-10-27 02:00'],
  ['1900-01-01T00:00:00+00:09:21', 'hour', '1900-01-01 00:00+00:09:21'],
  ['infinity', 'hour', 'infinity'],
  ['0044-03-15 BC', 'year', '0044-03-15 BC'],
  ['12026-01-01', 'month', '12026-01-01'],
] as const)('the time %s, cut to a %s, is shown as %s', (first, unit, text) => {
  expect(periodText(first, unit)).toBe(text);
});
