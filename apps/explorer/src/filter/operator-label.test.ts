import { expect, it } from 'vitest';

import { conditionOperators, fitOperands } from './operator-label.ts';

it('offers the operators of the catalogue, NULL both ways, and none that it does not know', () => {
  expect(conditionOperators({ operators: ['eq', 'is_null', 'sounds_like'] })).toEqual([
    'eq',
    'is_null',
    'not_null',
  ]);
});

it.each([
  ['eq', ['1', '2'], ['1']],
  ['eq', [], ['']],
  ['between', ['1'], ['1', '']],
  ['in', ['1', '2'], ['1', '2']],
  ['in', [], ['']],
  ['is_null', ['1'], []],
  ['not_null', ['1'], []],
] as const)('fits the operands of %s from %j to %j', (operator, operands, fitting) => {
  expect(fitOperands(operator, operands)).toEqual(fitting);
});
