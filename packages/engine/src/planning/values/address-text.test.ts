import { expect, it } from 'vitest';

import { readAddress } from './read-filter-value.ts';

it.each([
  '10.0.0.1',
  '10.0.0.1/0',
  '10.0.0.0/32',
  '::',
  '2001:db8::1/128',
  '2001:DB8:0:0:0:0:0:1',
  '::ffff:10.0.0.1/96',
])('%s is an address', (text) => {
  expect(readAddress(text)).toBe(text);
});

it.each([
  '',
  '10.0.0',
  '10.0.0.256',
  '010.0.0.1',
  '10.0.0.1/33',
  '10.0.0.1/08',
  '10.0.0.1/',
  '10.0.0.1/8/8',
  '::1/129',
  'fe80::1%eth0',
  ':::',
  ' 10.0.0.1',
  "10.0.0.1'; --",
  'localhost',
  '1/10.0.0.1',
  ['10.0.0.1'],
  10,
  null,
])('%j is none', (value) => {
  expect(readAddress(value)).toBeUndefined();
});
