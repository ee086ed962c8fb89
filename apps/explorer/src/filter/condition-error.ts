import type { RequestError } from '@proj/client';

import { errorDetail } from '../controls/error-detail.ts';
import type { ErrorPlace } from '../state/filter/error-place.ts';
import type { Condition } from '../state/view-state.ts';
import { operatorLabel } from './operator-label.ts';

/** What is typed for a value, by its wire type. */
const EXPECTED: Readonly<Partial<Record<string, string>>> = {
  int32: 'a whole number',
  int64: 'a whole number',
  decimal: 'a number',
  float64: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2026-01-31',
  time: 'a time such as 23:59:59',
  timestamp: 'a date and a time such as 2026-01-31T23:59:59',
  timestamp_tz: 'a date and a time such as 2026-01-31T23:59:59',
  uuid: 'a UUID',
  interval: 'a length of time such as 1 day 02:00:00',
  range: 'a value or a range such as [1,5)',
  inet: 'an address or a network such as 10.0.0.0/8',
};

/** An error of a condition in the words of its form: attribute, operator and value. */
export function conditionError(
  error: RequestError,
  condition: Condition,
  { place, type }: { readonly place: ErrorPlace; readonly type: string },
): string {
  const { attribute, operands } = condition;
  const operator = operatorLabel(condition.operator);
  const value = place.control === 'condition' ? operands[place.operand ?? -1] : undefined;
  const expected = EXPECTED[type];
  switch (error.code) {
    case 'unknown_attribute':
      return errorDetail(error);
    case 'operator_not_applicable':
      return `${attribute} cannot be compared by “${operator}”. Choose another operator.`;
    case 'unknown_operator':
      return `The service does not know “${operator}”. Choose another operator.`;
  }
  if (value === '') return `${attribute} ${operator}: the value is missing.`;
  const comparison = `${attribute} ${operator}${value === undefined ? '' : ` “${value}”`}`;
  return expected !== undefined && error.code === 'invalid_value' && value !== undefined
    ? `${comparison}: this is not ${expected}.`
    : `${comparison}: ${errorDetail(error)}`;
}
