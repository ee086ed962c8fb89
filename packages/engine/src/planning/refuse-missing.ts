import { QueryFailedError } from '../errors.ts';
import type { Plan } from './plan.ts';
import type { Condition } from './plan-filter.ts';

/**
 * Refuses a plan that needs what the database does not have at the moment. One that needs only the
 * other columns of its model is answered.
 *
 * @throws {QueryFailedError} `model_unavailable`
 */
export function refuseMissing({ model, attributes, order, condition }: Plan): void {
  const { missing } = model;
  if (missing === undefined) return;
  const needed = [...attributes, ...order, ...attributesOf(condition)].map(({ column }) => column);
  const { columns } = missing;
  if (columns !== 'all' && !needed.some((column) => columns.has(column))) return;
  throw new QueryFailedError('model_unavailable', `${model.name}: ${missing.reason}`);
}

function attributesOf(condition: Condition | undefined): { readonly column: string }[] {
  if (condition === undefined) return [];
  if ('and' in condition) return condition.and.flatMap(attributesOf);
  if ('or' in condition) return condition.or.flatMap(attributesOf);
  return 'not' in condition ? attributesOf(condition.not) : [condition.attribute];
}
