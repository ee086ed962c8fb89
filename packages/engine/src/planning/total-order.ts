import type { QueryRequest } from '@proj/contract';

import { attributeTerm, type OrderTerm } from '../catalogue/model.ts';
import type { ListNames } from './resolved-name.ts';

/** The caller's sort, the default order, then the key, which leaves no ties. */
export function totalOrder(
  { query_sort: sort = [] }: Pick<QueryRequest, 'query_sort'>,
  names: ListNames,
): OrderTerm[] {
  const { defaultOrder, key } = names;
  const requested = sort.map(({ attribute: name, direction, nulls }) =>
    attributeTerm(names.find(name), direction, nulls),
  );
  return [...withoutRepeats([...requested, ...defaultOrder]), ...key];
}

function withoutRepeats(terms: readonly OrderTerm[]): OrderTerm[] {
  return terms.filter(
    (term, index) => terms.findIndex((other) => isSameColumn(other, term)) === index,
  );
}

/** Attributes may show one column as different types. */
function isSameColumn(a: OrderTerm, b: OrderTerm): boolean {
  return (
    a.column === b.column &&
    a.join === b.join &&
    a.field?.type === b.field?.type &&
    a.field?.storedAs === b.field?.storedAs
  );
}
