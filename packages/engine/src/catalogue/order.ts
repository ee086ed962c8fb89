import type { Attribute, OrderTerm } from './model.ts';

/** NULL is the largest value unless `nulls` says otherwise. */
export function attributeTerm(
  attribute: Attribute,
  direction: OrderTerm['direction'],
  nulls: OrderTerm['nulls'] = direction === 'asc' ? 'last' : 'first',
): OrderTerm {
  const { column, join, nullable, storedAs, aggregate } = attribute;
  return {
    column,
    direction,
    nulls,
    nullable,
    ...(join !== undefined && { join }),
    ...((storedAs ?? aggregate) !== undefined && { field: attribute }),
  };
}
