import type { VisibleModel } from '../catalogue/visible-model.ts';
import type { Condition } from './condition.ts';
import { plainNames } from './resolved-name.ts';
import { planFilter } from './plan-filter.ts';

/** @param number the number of the rows; undefined for those that are listed */
export function rowPolicyOf(
  { rowPolicy, full }: VisibleModel,
  number?: number,
): Condition | undefined {
  if (rowPolicy === undefined) return undefined;
  const planning = planFilter(rowPolicy, plainNames(full, number));
  // Without the policy the caller would see rows of others.
  if (planning.errors.length > 0)
    throw new Error(`The row policy of ${full.name} does not fit the model.`);
  return planning.condition;
}
