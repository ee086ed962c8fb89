import type { DeprecationSettings } from '../catalogue/model-settings.ts';
import type { Plan } from '../planning/plan.ts';

/** What of a list is deprecated: its model, its attributes. */
export function deprecationsOf({ facts, attributes }: Plan): DeprecationSettings[] {
  return [facts, ...attributes].flatMap(({ deprecated }) => deprecated ?? []);
}
