import { expect, it } from 'vitest';

import { valueHue } from './value-hue.ts';

it('equal values have one hue, and others another', () => {
  expect(valueHue('open')).toBe(valueHue('open'));
  expect(new Set(['open', 'paid', 'sent', 'a', 'b', 'ab', 'ba'].map(valueHue)).size).toBe(7);
});

it('every text has a hue', () => {
  for (const text of ['', 'ä', '🜚', 'x'.repeat(10_000)]) {
    expect(valueHue(text)).toBeGreaterThanOrEqual(0);
    expect(valueHue(text)).toBeLessThan(360);
  }
});
