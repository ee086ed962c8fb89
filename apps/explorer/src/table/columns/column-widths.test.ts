import { expect, it } from 'vitest';

import { columnWidth } from './column-widths.ts';

const records = (texts: readonly string[]) => texts.map((text) => ({ code: JSON.stringify(text) }));

it.each([
  ['short values', 'code', ['CH', 'DE'], 11],
  ['no records', 'code', [], 11],
  ['values longer than the name', 'code', Array.from({ length: 10 }, () => 'x'.repeat(20)), 23],
  [
    'one long value among many',
    'code',
    ['x'.repeat(200), ...Array.from({ length: 20 }, () => 'x')],
    11,
  ],
  ['long values', 'code', ['x'.repeat(200)], 38],
])('fits %s', (_, name, texts, width) => {
  expect(columnWidth({ name, type: 'text' }, records(texts))).toBe(width);
});
