import { expect, it } from 'vitest';

import { CallerTurns } from './caller-turns.ts';

/** Turns in which the first letter of an item is its caller. */
function turnsOf(items: readonly string[], most = 100): CallerTurns<string> {
  const turns = new CallerTurns<string>(most);
  for (const item of items) turns.add(item.charAt(0), item, item);
  return turns;
}

it('serves callers in turn, and of each what was asked for last', () => {
  const turns = turnsOf(['a1', 'a2', 'a3', 'b1', 'c1', 'c2']);
  expect(turns.inOrder()).toEqual(['a3', 'b1', 'c2', 'a2', 'c1', 'a1']);
});

it('serves a caller after the others who wait, once it was the turn of that one', () => {
  const turns = turnsOf(['a1', 'a2', 'b1', 'b2', 'c1']);
  turns.delete('a2');
  turns.delete('b2');
  expect(turns.inOrder()).toEqual(['c1', 'a1', 'b1']);
  turns.delete('a1');
  turns.add('a', 'a3', 'a3');
  expect(turns.inOrder()).toEqual(['c1', 'b1', 'a3']);
});

it('serves what several callers wait for in the first turn of them, and once', () => {
  const turns = turnsOf(['a1', 'a2', 'b1']);
  turns.add('b', 'a1', 'a1');
  expect(turns.inOrder()).toEqual(['a2', 'a1', 'b1']);
  expect(turns.get('a1')).toBe('a1');
  turns.delete('a1');
  expect([turns.get('a1'), ...turns.inOrder()]).toEqual([undefined, 'a2', 'b1']);
});

it('drops the oldest of the caller who waits for the most, where too much is waited for', () => {
  expect(turnsOf(['a1', 'b1', 'b2', 'b3', 'a2', 'b4'], 4).inOrder()).toEqual([
    'a2',
    'b4',
    'a1',
    'b3',
  ]);
});

it('leaves callers their turns when more of them come than may wait', () => {
  expect(turnsOf(['a1', 'b1', 'c1'], 2).inOrder()).toEqual(['a1', 'b1']);
});

it('serves a caller who has nothing left after those who came meanwhile', () => {
  const dropped = turnsOf(['a1', 'b1', 'c1'], 2);
  dropped.delete('a1');
  dropped.add('d', 'd1', 'd1');
  dropped.delete('b1');
  dropped.add('c', 'c2', 'c2');
  expect(dropped.inOrder()).toEqual(['d1', 'c2']);
  const served = turnsOf(['a1', 'b1']);
  served.delete('a1');
  served.add('d', 'd1', 'd1');
  served.add('a', 'a2', 'a2');
  expect(served.inOrder()).toEqual(['b1', 'd1', 'a2']);
});

it('serves what is asked for again as what was asked for last, and drops what is older', () => {
  const turns = turnsOf(['a1', 'a2', 'a3', 'a1', 'b1'], 3);
  expect(turns.inOrder()).toEqual(['a1', 'b1', 'a3']);
});
