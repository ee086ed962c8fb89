import type { Missing } from '../catalogue/model.ts';
import type { Condition } from './condition.ts';
import type { ListRows } from './list-rows.ts';
import type { FacetsPlan } from './plan-facets.ts';
import type { Plan } from './plan.ts';

/**
 * What of the model is missing, where the plan needs any of it; undefined for a plan that needs
 * only what the database has at the moment.
 */
export function missingPart(plan: Plan): Missing | undefined {
  return missingColumns(plan, neededColumns(plan));
}

/** What a list needs of its model. */
export function neededColumns({
  attributes,
  order,
  condition,
}: Pick<Plan, 'attributes' | 'order' | 'condition'>): { readonly column: string }[] {
  return [...attributes, ...order, ...attributesOf(condition)];
}

/** What is missing of a model, where some of its columns are needed of which one is not there. */
function missingColumns(
  {
    rows: {
      model: { missing },
    },
  }: ListRows,
  needed: readonly { readonly column: string }[],
): Missing | undefined {
  if (missing === undefined || missing.columns === 'all') return missing;
  const { columns } = missing;
  return needed.some(({ column }) => columns.has(column)) ? missing : undefined;
}

/** The same for a request for facets. */
export function missingOfFacets(plan: FacetsPlan): Missing | undefined {
  return missingColumns(plan, neededOfFacets(plan));
}

/** What a request for facets needs of its model. */
export function neededOfFacets({
  condition,
  facets,
}: Pick<FacetsPlan, 'condition' | 'facets'>): { readonly column: string }[] {
  const conditions = [condition, ...facets.map((facet) => facet.condition)];
  const attributes = facets.map(({ attribute }) => attribute);
  return [...attributes, ...conditions.flatMap(attributesOf)];
}

/** The attributes that a condition compares. */
export function attributesOf(condition: Condition | undefined): { readonly column: string }[] {
  if (condition === undefined) return [];
  if ('and' in condition) return condition.and.flatMap(attributesOf);
  if ('or' in condition) return condition.or.flatMap(attributesOf);
  return 'not' in condition ? attributesOf(condition.not) : [condition.attribute];
}
