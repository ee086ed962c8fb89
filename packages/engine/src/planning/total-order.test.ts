import { describe, expect, it } from 'vitest';

import { namesOf, planOf } from '../../test/unit/models.ts';
import type { Model, OrderTerm } from '../catalogue/model.ts';
import { totalOrder } from './plan.ts';

const { model } = planOf().rows;
const field = { name: 'at', column: 'at', items: undefined, databaseType: '' };
const term = (column: string, changes: Partial<OrderTerm> = {}): OrderTerm => ({
  column,
  direction: 'asc',
  nulls: 'last',
  nullable: true,
  ...changes,
});

function columnsOf(query_sort: { attribute: string; direction: 'asc' }[], order: OrderTerm[]) {
  const ordered: Model = { ...model, defaultOrder: order };
  const names = namesOf(ordered);
  for (const { attribute } of query_sort) names.resolve(attribute, '');
  return totalOrder({ query_sort }, names).map(({ column }) => column);
}

describe('the order of a list', () => {
  it('has each column once, where it comes first', () => {
    const sort = [{ attribute: 'word', direction: 'asc' as const }];
    expect(columnsOf(sort, [term('rank'), term('word')])).toEqual(['word', 'rank', 'id']);
  });

  it('has one column twice where two attributes show it as different types', () => {
    const date = { ...field, type: 'date' as const, storedAs: 'text' as const };
    const terms = [
      term('at', { field: date }),
      term('at', { field: { ...date, type: 'timestamp' } }),
      term('at', { field: { ...date, storedAs: 'julian_day' } }),
      term('at', { field: date }),
      term('at'),
    ];
    expect(columnsOf([], terms)).toEqual(['at', 'at', 'at', 'at', 'id']);
  });
});
