import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { endOfJsonString } from './json-string.ts';

it('finds the end of every string that JSON.stringify writes, whatever follows', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ unit: 'binary' }), fc.string(), (before, value, after) => {
      const string = JSON.stringify(value);
      const open = before.length;
      expect(endOfJsonString(before + string + after, open)).toBe(open + string.length);
    }),
  );
});

it('reports the length of a text whose string is not closed', () => {
  expect(endOfJsonString(String.raw`"a\"`, 0)).toBe(4);
});
