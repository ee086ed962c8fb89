import type { AttributeEntry } from '@proj/client';
import { expect, it } from 'vitest';

import { operandOf } from './operand.ts';

const DECIMAL: AttributeEntry = {
  name: 'price',
  type: 'decimal',
  nullable: false,
  description: null,
  operators: ['eq'],
  sortable: true,
};

it.each([
  [1e-7, '0.0000001'],
  [-1.25e-9, '-0.00000000125'],
  [1e21, `1${'0'.repeat(21)}`],
  [1.5e300, `15${'0'.repeat(299)}`],
  [12.5, '12.5'],
  [Number.NaN, 'NaN'],
])('a decimal is compared with the number %s in its digits', (value, digits) => {
  expect(operandOf(DECIMAL, value)).toBe(digits);
});

it.each([
  ['numbers', '2', '2'],
  ['any', '-0.5', '-0.5'],
  ['any', 'yes', undefined],
  [undefined, '2', undefined],
])(
  'a boolean whose other values are %s is compared with %j in its digits',
  (misfits, value, operand) => {
    const { type: _decimal, ...entry } = DECIMAL;
    const flag = { ...entry, type: 'boolean', ...(misfits !== undefined && { misfits }) };
    expect(operandOf(flag, value)).toBe(operand);
    expect(operandOf(flag, 'true')).toBe(true);
  },
);
