import type { Condition } from '../mapping/condition.ts';
import type { Part } from '../mapping/filter-parts.ts';
import type { AgFilterParams } from './filter-model.ts';

/** The conditions of numbers and dates that compare with one value. */
export const SCALAR_OPERATORS: Readonly<Record<string, 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte'>> =
  {
    equals: 'eq',
    notEqual: 'ne',
    lessThan: 'lt',
    lessThanOrEqual: 'lte',
    greaterThan: 'gt',
    greaterThanOrEqual: 'gte',
  };

/** Which conditions let blanks pass, by the name of the parameter that says so. */
const BLANKS: Readonly<Record<string, keyof AgFilterParams>> = {
  equals: 'includeBlanksInEquals',
  notEqual: 'includeBlanksInNotEqual',
  lessThan: 'includeBlanksInLessThan',
  lessThanOrEqual: 'includeBlanksInLessThan',
  greaterThan: 'includeBlanksInGreaterThan',
  greaterThanOrEqual: 'includeBlanksInGreaterThan',
  inRange: 'includeBlanksInRange',
};

/** Adds NULL to what a condition on numbers or dates finds, where the parameters say so. */
export function blanksPass(
  condition: Condition,
  type: string,
  params: AgFilterParams,
): (part: Part) => Part {
  const name = BLANKS[type];
  const pass = name !== undefined && params[name] === true;
  return (part) => (pass ? condition.orNull(part) : part);
}
