import type { VisibleModel } from '../catalogue/visible-model.ts';
import type { Condition } from './condition.ts';
import { planFilter } from './plan-filter.ts';

/** The caller's condition, and always the row policy. */
export function withRowPolicy(
  condition: Condition | undefined,
  { rowPolicy, full }: VisibleModel,
): Condition | undefined {
  if (rowPolicy === undefined) return condition;
  const { condition: policy, errors } = planFilter(rowPolicy, full);
  // Without the policy the caller would see rows of others.
  if (policy === undefined || errors.length > 0)
    throw new Error(`The row policy of ${full.name} does not fit the model.`);
  return condition === undefined ? policy : { and: [policy, condition] };
}
