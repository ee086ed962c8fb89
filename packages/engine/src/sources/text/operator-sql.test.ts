import { describe, expect, it } from 'vitest';

import { refusedSql } from './operator-sql.ts';

const WORDS = { brackets: true, dollars: true, refused: '?:@#' };

describe('a text of the operator', () => {
  it.each([
    "first || ' ' || last",
    "coalesce(\"a;b\", 'it''s -- no (comment', `?`)",
    String.raw`name like '%\_%'`,
    "[a)b] || $x$;--)$x$ || 'a' || $$'$$",
    'a$1$b$1$c',
    "array['(']",
  ])('is one expression: %s', (text) => {
    expect(refusedSql(text, WORDS)).toBeUndefined();
  });

  it.each([
    ['1) from secrets --', 'closes a parenthesis that it does not open'],
    ['(1', 'leaves a parenthesis open'],
    ['1; drop table t', 'has a semicolon'],
    ['1 -- all', 'has a comment'],
    ['1 /* all', 'has a comment'],
    ["'a", 'has a quote that nothing closes, or a backslash before one'],
    [String.raw`'\') or ('`, 'has a quote that nothing closes, or a backslash before one'],
    ['a = ?', 'has "?", which begins a parameter, a variable or a comment'],
    ['a = :name', 'has ":", which begins a parameter, a variable or a comment'],
    ['1 # all', 'has "#", which begins a parameter, a variable or a comment'],
    ['a\0', 'has the character U+0000'],
    [' \n', 'is empty'],
  ])('is refused: %j', (text, why) => {
    expect(refusedSql(text, WORDS)).toBe(why);
  });
});
