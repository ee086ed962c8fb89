import { OPERATORS, type Operator } from '@proj/contract';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import type { Expression, Literal } from './expression.ts';
import { ExpressionError } from './expression-error.ts';
import { parseExpression } from './parse.ts';
import { printExpression } from './print.ts';

/** The expression without the places of its parts. */
function withoutPlaces(expression: Expression): unknown {
  return JSON.parse(
    JSON.stringify(expression, (key: string, value: unknown) => (key === 'at' ? undefined : value)),
  );
}

const literal: fc.Arbitrary<Literal> = fc.oneof(
  fc.string({ unit: 'binary' }).map((text): Literal => ({ kind: 'text', text, at: 0 })),
  fc
    .constantFrom("it's", '"', '', 'and', "''")
    .map((text): Literal => ({ kind: 'text', text, at: 0 })),
  fc.bigInt().map((number): Literal => ({ kind: 'number', text: String(number), at: 0 })),
  fc
    .stringMatching(/^-?[1-9]\d{0,3}\.\d{1,3}(e-?\d{1,2})?$/)
    .map((text): Literal => ({ kind: 'number', text, at: 0 })),
  fc.boolean().map((truth): Literal => ({ kind: 'truth', truth, at: 0 })),
);

const name = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('population', 'and', 'not', 'in', 'is', 'between', 'a`b', 'größe', '2026'),
);

const operators = Object.entries(OPERATORS).map(
  ([op, { operand }]) => ({ op, operand }) as { op: Operator; operand: string },
);

const comparison: fc.Arbitrary<Expression> = fc
  .constantFrom(...operators)
  .chain(({ op, operand }) => {
    const operands: Record<string, fc.Arbitrary<Literal[]>> = {
      value: fc.tuple(literal),
      value_or_null: fc.tuple(fc.oneof(literal, fc.constant<Literal>({ kind: 'null', at: 0 }))),
      pair: fc.tuple(literal, literal),
      list: fc.array(literal, { minLength: 1, maxLength: 4 }),
      truth: fc.tuple(fc.boolean().map((truth): Literal => ({ kind: 'truth', truth, at: 0 }))),
    };
    const values = operands[operand] ?? fc.constant([]);
    return fc.tuple(name, values).map(([attribute, listed]): Expression => ({
      kind: 'comparison',
      attribute,
      op,
      operands: listed,
      at: 0,
    }));
  });

const { expression } = fc.letrec<{ expression: Expression }>((tie) => {
  const parts = fc.array(tie('expression'), { minLength: 2, maxLength: 3 });
  return {
    expression: fc.oneof(
      { depthSize: 'small' },
      comparison,
      parts.map((list): Expression => ({ kind: 'and', parts: list })),
      parts.map((list): Expression => ({ kind: 'or', parts: list })),
      tie('expression').map((part): Expression => ({ kind: 'not', part })),
    ),
  };
});

it('reads back every expression that it prints', () => {
  fc.assert(
    fc.property(expression, (given) => {
      const printed = printExpression(given);
      expect(withoutPlaces(parseExpression(printed))).toEqual(withoutPlaces(given));
      expect(printExpression(parseExpression(printed))).toBe(printed);
    }),
    { numRuns: 500 },
  );
});

/** Where the fault of a text is; 0 where it has none. */
function placeOfFault(text: string): number {
  try {
    parseExpression(text);
    return 0;
  } catch (error) {
    if (error instanceof ExpressionError) return error.at;
    throw error;
  }
}

it('ends with an expression or an error at a place in the text, whatever the text', () => {
  const words = fc.constantFrom(
    'a',
    'and',
    'or',
    'not',
    '(',
    ')',
    ',',
    '=',
    'in',
    'is',
    'null',
    '1',
    "'x'",
    'between',
    "'",
    '`',
    '-',
    ' ',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(words).map((list) => list.join(' ')),
      ),
      (text) => {
        const at = placeOfFault(text);
        expect(at).toBeGreaterThanOrEqual(0);
        expect(at).toBeLessThanOrEqual(text.length);
      },
    ),
    { numRuns: 1000 },
  );
});

it.each([
  ['a = 1 or b = 2 and c = 3', 'a = 1 or (b = 2 and c = 3)'],
  ['not a = 1 and b = 2', 'not a = 1 and b = 2'],
  ['NOT (a = 1 OR b = 2)', 'not (a = 1 or b = 2)'],
  ['((a = 1))', 'a = 1'],
  ['a<>1', 'a != 1'],
  ['a == 1.50', 'a = 1.50'],
  ['a = "it\'s"', "a = 'it''s'"],
  ['a Not In (1,2 , 3)', 'a not in (1, 2, 3)'],
  ['a between 1 and 2 and b = 3', 'a between 1 and 2 and b = 3'],
  ['a is not distinct from null', 'not a is distinct from null'],
  ['in in (true)', 'in in (true)'],
])('reads %s as %s', (text, meaning) => {
  expect(printExpression(parseExpression(text))).toBe(meaning);
});

it.each([
  ['', 0, 'the name of an attribute'],
  ['a', 1, 'an operator'],
  ['a =', 3, 'expected a value'],
  ['a = paris', 4, "Texts stand in quotes: 'paris'"],
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
  ['a = 5 and and', 10, 'the name of an attribute'],
  ['a = 5; b', 5, 'means nothing here'],
  ['(('.repeat(40), 64, 'nested'],
])('points at the fault of %s', (text, at, message) => {
  expect(() => parseExpression(text)).toThrow(
    expect.objectContaining({ at, message: expect.stringContaining(message) }),
  );
});
