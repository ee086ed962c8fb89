import { expect, it } from 'vitest';

import { addressOwner } from './address-owner.ts';

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:db8:1:2::', '2001:db8:1:2::'],
  ['2001:0DB8:0001:0002:ffff::1', '2001:db8:1:2::'],
  ['2001:db8::1', '2001:db8:0:0::'],
  ['::1', '0:0:0:0::'],
  ['::', '0:0:0:0::'],
  ['1::8', '1:0:0:0::'],
  ['fe80::1%eth0', 'fe80:0:0:0::'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::'],
  ['', ''],
  ['unknown', 'unknown'],
])('%s counts as %s', (address, owner) => {
  expect(addressOwner(address)).toBe(owner);
});
