import type { SortTerm } from '../state/view-state.ts';

type Direction = SortTerm['direction'];

/** The order by this attribute alone; where NULL goes stays. */
export function sortedBy(
  sort: readonly SortTerm[],
  attribute: string,
  direction: Direction,
): readonly SortTerm[] {
  return [{ ...termOf(sort, attribute), attribute, direction }];
}

/** The order with this attribute in it too: where it was, else last. */
export function alsoSortedBy(
  sort: readonly SortTerm[],
  attribute: string,
  direction: Direction,
): readonly SortTerm[] {
  const at = sort.findIndex((term) => term.attribute === attribute);
  const term = { ...termOf(sort, attribute), attribute, direction };
  return at === -1 ? [...sort, term] : sort.with(at, term);
}

/** The order with NULL of this attribute elsewhere; undefined for the service's own place. */
export function withNulls(
  sort: readonly SortTerm[],
  attribute: string,
  nulls: SortTerm['nulls'],
): readonly SortTerm[] {
  return sort.map((term) => {
    if (term.attribute !== attribute) return term;
    const { direction } = term;
    return { attribute, direction, ...(nulls && { nulls }) };
  });
}

function termOf(sort: readonly SortTerm[], attribute: string): SortTerm | undefined {
  return sort.find((term) => term.attribute === attribute);
}
