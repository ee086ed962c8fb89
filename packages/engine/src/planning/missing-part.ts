import type { Missing } from '../catalogue/model.ts';
import type { Plan } from './plan.ts';
import type { Condition } from './condition.ts';

/**
 * What of the model is missing, where the plan needs any of it; undefined for a plan that needs
 * only what the database has at the moment.
 */
export function missingPart({ model, attributes, order, condition }: Plan): Missing | undefined {
  const { missing } = model;
  if (missing === undefined || missing.columns === 'all') return missing;
  const { columns } = missing;
  const needed = [...attributes, ...order, ...attributesOf(condition)];
  return needed.some(({ column }) => columns.has(column)) ? missing : undefined;
}

function attributesOf(condition: Condition | undefined): { readonly column: string }[] {
  if (condition === undefined) return [];
  if ('and' in condition) return condition.and.flatMap(attributesOf);
  if ('or' in condition) return condition.or.flatMap(attributesOf);
  return 'not' in condition ? attributesOf(condition.not) : [condition.attribute];
}
