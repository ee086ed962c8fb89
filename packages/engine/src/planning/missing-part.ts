import type { Missing, Model } from '../catalogue/model.ts';
import type { Condition } from './condition.ts';
import type { FacetsPlan } from './plan-facets.ts';
import type { Plan } from './plan.ts';

/**
 * What of the model is missing, where the plan needs any of it; undefined for a plan that needs
 * only what the database has at the moment.
 */
export function missingPart(plan: Plan): Missing | undefined {
  const { model, attributes, order, condition } = plan;
  return missingColumns(model, [...attributes, ...order, ...attributesOf(condition)]);
}

/** What is missing of a model, where some of its columns are needed of which one is not there. */
function missingColumns(
  { missing }: Model,
  needed: readonly { readonly column: string }[],
): Missing | undefined {
  if (missing === undefined || missing.columns === 'all') return missing;
  const { columns } = missing;
  return needed.some(({ column }) => columns.has(column)) ? missing : undefined;
}

/** The same for a request for facets. */
export function missingOfFacets({ model, condition, facets }: FacetsPlan): Missing | undefined {
  const conditions = [condition, ...facets.map((facet) => facet.condition)];
  const attributes = facets.map(({ attribute }) => attribute);
  return missingColumns(model, [...attributes, ...conditions.flatMap(attributesOf)]);
}

function attributesOf(condition: Condition | undefined): { readonly column: string }[] {
  if (condition === undefined) return [];
  if ('and' in condition) return condition.and.flatMap(attributesOf);
  if ('or' in condition) return condition.or.flatMap(attributesOf);
  return 'not' in condition ? attributesOf(condition.not) : [condition.attribute];
}
