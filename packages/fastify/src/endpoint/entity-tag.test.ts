import { describe, expect, it } from 'vitest';

import { namesTag } from './entity-tag.ts';

describe('If-None-Match names a tag', () => {
  it.each([
    '"a"',
    'W/"a"',
    '"x", "a"',
    'W/"x",W/"a" , "y"',
    ', ,"a",',
    '"with,comma", "a"',
    '"x"\t,\t"a"',
    '"", "a"',
  ])('in the list %s', (list) => {
    expect(namesTag(list, 'a')).toBe(true);
  });

  it.each([
    undefined,
    '',
    '*',
    '*, "a"',
    'a',
    '"b"',
    'w/"a"',
    '"aa"',
    '"A"',
    '"a',
    '"x" nonsense "a"',
    '"x", a, "a"',
    '"a-gzip"',
  ])('but not in %s', (list) => {
    expect(namesTag(list, 'a')).toBe(false);
  });
});

it('a long list is read in one pass', () => {
  const list = `${'W/"x" , '.repeat(100_000)}"a"`;
  expect(namesTag(list, 'a')).toBe(true);
  expect(namesTag(`${' ,\t'.repeat(100_000)}x`, 'a')).toBe(false);
});
