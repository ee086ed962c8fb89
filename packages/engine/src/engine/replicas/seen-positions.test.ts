import { beforeEach, expect, it } from 'vitest';

import { NUMBERS } from '../../../test/number-positions.ts';
import { SeenPositions } from './seen-positions.ts';

let seen: SeenPositions;
beforeEach(() => {
  seen = new SeenPositions(NUMBERS, 2);
});

it('a caller has seen the latest of what it was shown', () => {
  seen.note('a', '5');
  seen.note('a', '3');
  expect(seen.of('a')).toBe('5');
});

it('a caller who is not known may have seen what was there at the start', () => {
  expect(seen.of('a')).toBeUndefined();
  seen.raise('4');
  seen.raise('2');
  expect(seen.of('a')).toBe('4');
});

it('a caller who was forgotten may have seen what all forgotten ones have', () => {
  for (const [caller, position] of Object.entries({ a: '9', b: '6', c: '7', d: '8' }))
    seen.note(caller, position);
  expect(['a', 'b', 'c', 'd', 'nobody'].map((caller) => seen.of(caller))).toEqual([
    '9',
    '9',
    '7',
    '8',
    '9',
  ]);
});
