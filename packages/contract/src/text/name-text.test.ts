import { expect, it } from 'vitest';

import { nameText, nameTexts } from './name-text.ts';

it.each(['id', 'unit_price', 'Größe', '東京', 'sales.orders', 'x-y', '$1'])(
  'writes the name %s, which is one word, into a message as it is',
  (name) => {
    expect(nameText(name)).toBe(name);
  },
);

it.each(['unit price', '', 'a"b', 'a, b', 'a\nb', '- x'])(
  'writes the name %j into a message in quotes',
  (name) => {
    expect(nameText(name)).toBe(JSON.stringify(name));
  },
);

it('separates names by commas', () => {
  expect(nameTexts(['id', 'unit price'])).toBe('id, "unit price"');
});
