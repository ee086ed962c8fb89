import { expect, it } from 'vitest';

import type { Condition } from '../state/view-state.ts';
import { conditionError } from './condition-error.ts';

const POPULATION: Condition = { attribute: 'population', operator: 'gte', operands: ['many'] };

function textOf(code: string, operand: number | null, condition = POPULATION): string {
  const pointer = `/query_filter/value${operand === null ? '' : `/${operand}`}`;
  const place = { control: 'condition', path: [0], operand } as const;
  const detail = `${pointer}: expected what fits.`;
  return conditionError({ pointer, code, detail }, condition, { place, type: 'int64' });
}

it.each([
  ['invalid_value', 0, 'population ≥ “many”: this is not a whole number.'],
  [
    'operator_not_applicable',
    null,
    'population cannot be compared by “≥”. Choose another operator.',
  ],
  ['unknown_operator', null, 'The service does not know “≥”. Choose another operator.'],
  ['unknown_attribute', null, 'Expected what fits.'],
  ['invalid_text', 0, 'population ≥ “many”: Expected what fits.'],
  ['filter_too_large', null, 'population ≥: Expected what fits.'],
] as const)('an error of a condition is in the words of its form: %s', (code, operand, text) => {
  expect(textOf(code, operand)).toBe(text);
});

it('an error of a condition without a value says that the value is missing', () => {
  const condition: Condition = {
    attribute: 'population',
    operator: 'between',
    operands: ['1', ''],
  };
  expect(textOf('invalid_value', 1, condition)).toBe(
    'population is between: the value is missing.',
  );
});
