import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { ExpressionError } from './expression-error.ts';
import { parseExpression } from './parse.ts';

/** Where the error of a text is; 0 where it has none. */
function placeOfError(text: string): number {
  try {
    parseExpression(text);
    return 0;
  } catch (error) {
    if (error instanceof ExpressionError) return error.at;
    throw error;
  }
}

it('returns an expression or an error at a place in the text, whatever the text', () => {
  const words = "a and or not ( ) , = in is null 1 'x' between ' ` -".split(' ');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(fc.constantFrom(...words, ' ')).map((list) => list.join(' ')),
      ),
      (text) => {
        const at = placeOfError(text);
        expect(at).toBeGreaterThanOrEqual(0);
        expect(at).toBeLessThanOrEqual(text.length);
      },
    ),
    { numRuns: 1000 },
  );
});

it.each([
  ['', 0, 'the name of an attribute'],
  ['a', 1, 'an operator'],
  ['a =', 3, 'expected a value'],
  ['a = paris', 4, "Texts go in quotes: 'paris'"],
  ['a = 2026-01-31', 4, 'not a number'],
  ["a = 'x", 4, 'never closed'],
  ['a = null', 4, 'is not null'],
  ['a is 5', 5, '"distinct from"'],
  ['a starts "x"', 9, 'expected "with"'],
  ['a in 5', 5, 'expected "("'],
  ['a in (5', 7, 'expected ")"'],
  ['a not = 5', 6, 'expected "in"'],
  ['(a = 5', 6, 'expected ")"'],
  ['a = 5 b = 6', 6, '"and", "or" or the end'],
  ['some orders n = 5', 12, 'expected "(", as in some orders (…).'],
  ['a = 5 and and', 10, 'the name of an attribute'],
  ['a = 5; b', 5, 'not part of the filter language'],
  ['(('.repeat(40), 64, 'nested'],
])('points at the error in the filter %s', (text, at, message) => {
  expect(() => parseExpression(text)).toThrow(
    expect.objectContaining({ at, message: expect.stringContaining(message) }),
  );
});
