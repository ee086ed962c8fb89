import { describe, expect, it } from 'vitest';

import { quote, suggestion } from './unknown-name.ts';

const names = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => (index === 0 ? 'cities' : `column_${index}`));

describe('the name that was probably meant', () => {
  it.each([
    ['citys', ['cities', 'countries'], 'cities'],
    ['CITIES', ['cities'], 'cities'],
    ['cities', ['Cities'], 'Cities'],
    ['id', ['ic'], 'ic'],
    ['abc', ['abd'], 'abd'],
    ['word', ['wxyd'], 'wxyd'],
    ['department_of_x', ['department_abcdx'], 'department_abcdx'],
    ['cat', ['cab', 'cats'], 'cats'],
    ['box', ['boxes'], 'boxes'],
    ['city', ['cities'], 'cities'],
    ['my_city', ['my_cities'], 'my_cities'],
    ['order', ['orders', 'shop.order', 'order'], 'order'],
    ['orders', ['shop.orders', 'shop.border'], 'shop.orders'],
    ['Orders', ['shop.Orders', 'orderz'], 'shop.Orders'],
    ['orders', ['shop.orders', 'crm.orders', 'order'], 'order'],
  ])('instead of %j, of %j, is %j', (name, visible, meant) => {
    expect(suggestion(name, visible)).toEqual({ did_you_mean: meant });
  });

  it('is looked for among up to 200 names', () => {
    expect(suggestion('citys', names(200))).toEqual({ did_you_mean: 'cities' });
    expect(suggestion('citys', names(201))).toEqual({});
  });

  it('is looked for where a name of up to 64 characters was written', () => {
    const long = 'x'.repeat(64);
    expect(suggestion(long, [`${long}y`])).toEqual({ did_you_mean: `${long}y` });
    expect(suggestion(`${long}x`, [`${long}y`])).toEqual({});
  });
});

it('a name in a message is cut after 64 characters', () => {
  const long = 'x'.repeat(64);
  expect([quote('a"b'), quote(long), quote(`${long}y`)]).toEqual([
    String.raw`"a\"b"`,
    `"${long}"`,
    `"${long}…"`,
  ]);
});
