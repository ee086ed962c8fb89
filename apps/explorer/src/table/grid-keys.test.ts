import { expect, it } from 'vitest';

import { moveInGrid } from './grid-keys.ts';

it.each([
  ['ArrowUp', { row: 0, column: 1 }],
  ['ArrowDown', { row: 2, column: 1 }],
  ['ArrowLeft', { row: 1, column: 0 }],
  ['ArrowRight', { row: 1, column: 2 }],
  ['Home', { row: 1, column: 0 }],
  ['End', { row: 1, column: 3 }],
  ['Ctrl+Home', { row: 0, column: 0 }],
  ['Ctrl+End', { row: 2, column: 3 }],
  ['a', null],
])('%s in the middle leads to %j', (key, target) => {
  expect(moveInGrid(key, { row: 1, column: 1 }, { rows: 3, columns: 4 })).toEqual(target);
});

it.each([
  ['ArrowUp', { row: 0, column: 0 }],
  ['ArrowLeft', { row: 0, column: 0 }],
])('%s at the first cell stays there', (key, target) => {
  expect(moveInGrid(key, { row: 0, column: 0 }, { rows: 1, columns: 1 })).toEqual(target);
});

it.each(['ArrowDown', 'ArrowRight'])('%s at the last cell stays there', (key) => {
  expect(moveInGrid(key, { row: 2, column: 3 }, { rows: 3, columns: 4 })).toEqual({
    row: 2,
    column: 3,
  });
});
