import type { RequestedRelated } from '@proj/contract';

import type { ViewState } from '../view-state.ts';

/** What a view counts and sums up of related records, as a request says it. */
export function requestedRelated({ related }: Pick<ViewState, 'related'>): {
  readonly related?: RequestedRelated;
} {
  if (related.length === 0) return {};
  const terms = related.map(({ name, related: inverse, operation: op, attribute }) => [
    name,
    { related: inverse, op, ...(attribute !== null && { attribute }) },
  ]);
  return { related: Object.fromEntries(terms) as RequestedRelated };
}
