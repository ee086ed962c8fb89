import { expect, it } from 'vitest';

import { moveItem } from './move-item.ts';

it.each([
  [0, 1, ['b', 'a', 'c']],
  [2, 0, ['c', 'a', 'b']],
  [0, 2, ['b', 'c', 'a']],
  [0, -1, ['a', 'b', 'c']],
  [2, 3, ['a', 'b', 'c']],
  [5, 0, ['a', 'b', 'c']],
])('moves the item at %d to %d', (from, to, items) => {
  expect(moveItem(['a', 'b', 'c'], from, to)).toEqual(items);
});
