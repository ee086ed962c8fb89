import { expect, it } from 'vitest';

import { areSameTexts } from './same-texts.ts';

it.each([
  [['x', 'y'], ['x', 'y'], true],
  [['x', 'y'], ['y', 'x'], false],
  [['x,y', 'z'], ['x', 'y,z'], false],
  [['x'], ['x', 'y'], false],
  [['x', 'y'], ['x'], false],
  [['x,y'], ['x', 'y'], false],
])('%j and %j are lists of the same texts: %j', (one, other, expected) => {
  expect(areSameTexts(one, other)).toBe(expected);
});
