import { beforeEach, expect, it } from 'vitest';

import { ShownPositions } from './read-shown.ts';

let shown: ShownPositions;
beforeEach(() => {
  shown = new ShownPositions();
});

it('replies of requests at one time are all asked for, until one includes them', () => {
  shown.noteReply([], 'a');
  const asked = shown.all;
  shown.noteReply(asked, 'c');
  shown.noteReply(asked, 'b');
  shown.noteReply(asked, 'b');
  expect(shown.all).toEqual(['c', 'b']);
  shown.noteReply(shown.all, 'd');
  expect(shown.all).toEqual(['d']);
});

it('a reply without a position leaves everything as it is', () => {
  shown.include('a');
  shown.noteReply(['a'], null);
  expect(shown.all).toEqual(['a']);
});

it('what the service does not understand is forgotten, and the oldest of very many', () => {
  for (let index = 0; index < 100; index++) shown.include(`p${index}`);
  expect(shown.all).toHaveLength(64);
  expect(shown.all[0]).toBe('p36');
  shown.forget(shown.all);
  expect(shown.all).toEqual([]);
});

it('a position of the caller is one until a reply includes it, or the service refuses it', () => {
  shown.include('a');
  shown.noteReply([], 'b');
  expect(shown.all.map((one) => shown.isIncluded(one))).toEqual([true, false]);
  shown.noteReply(shown.all, 'c');
  expect(shown.isIncluded('a')).toBe(false);
  shown.include('d');
  shown.forget(['d']);
  expect(shown.isIncluded('d')).toBe(false);
});
