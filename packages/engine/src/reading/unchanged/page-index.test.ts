import { describe, expect, it } from 'vitest';

import { queryOf } from '../../../test/page-questions.ts';
import type { Key } from '../../sql/clauses/seek.ts';
import { bytesOfIndex, checkpointsOf, seekFrom } from './page-index.ts';

const QUERY = queryOf();

/** An index with a key for every ten records. */
function indexOf(...keys: readonly Key[]) {
  return { version: '1', step: 10, keys };
}

describe('the way to a page through an index', () => {
  const INDEX = indexOf(['a'], ['b'], ['c']);

  it.each([
    { offset: 0n, key: ['a'], skipped: 0n },
    { offset: 9n, key: ['a'], skipped: 9n },
    { offset: 10n, key: ['b'], skipped: 0n },
    { offset: 25n, key: ['c'], skipped: 5n },
    { offset: 1030n, key: ['c'], skipped: 1010n },
  ])('begins at the last key before offset $offset', ({ offset, key, skipped }) => {
    expect(seekFrom(checkpointsOf(INDEX), QUERY, { size: 3, offset })).toMatchObject({
      bindings: { size: 3, offset: skipped, key },
      fields: [],
      reversed: false,
      maxBytes: 1000,
    });
  });

  it('does not exist where there is no key', () => {
    expect(seekFrom(checkpointsOf(indexOf()), QUERY, { size: 3, offset: 0n })).toBeUndefined();
  });

  it('says which values of its key are NULL', () => {
    const checkpoints = checkpointsOf(indexOf(['a', null], ['b', 1]));
    expect(seekFrom(checkpoints, QUERY, { size: 1, offset: 0n })).toMatchObject({
      statement: { shape: { nulls: [false, true] } },
    });
  });

  it.each([
    { keys: [['a'], ['b']], size: 10, offset: 0n, reachesNulls: false },
    { keys: [['a'], ['b']], size: 11, offset: 0n, reachesNulls: true },
    { keys: [['a'], ['b']], size: 1, offset: 10n, reachesNulls: true },
    { keys: [['a'], ['b'], [null]], size: 1, offset: 10n, reachesNulls: true },
    { keys: [['a'], ['b'], ['c']], size: 10, offset: 10n, reachesNulls: false },
    { keys: [['a'], ['b'], ['c']], size: 10, offset: 11n, reachesNulls: true },
  ])(
    'of $size records from offset $offset over the keys $keys reaches NULLs: $reachesNulls',
    ({ keys, size, offset, reachesNulls }) => {
      expect(seekFrom(checkpointsOf(indexOf(...keys)), QUERY, { size, offset })).toMatchObject({
        statement: { shape: { reachesNulls } },
      });
    },
  );
});

describe('the memory of an index', () => {
  it.each<{ keys: readonly Key[]; bytes: number }>([
    { keys: [], bytes: 100 },
    { keys: [[]], bytes: 148 },
    { keys: [[1]], bytes: 172 },
    { keys: [[1, 2]], bytes: 196 },
    { keys: [['abc']], bytes: 170 },
    { keys: [[new Uint8Array(3)]], bytes: 267 },
    { keys: [[1], [1]], bytes: 244 },
  ])('is $bytes bytes for the keys $keys', ({ keys, bytes }) => {
    expect(bytesOfIndex(indexOf(...keys))).toBe(bytes);
  });
});
