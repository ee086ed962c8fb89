import type { FacetQuery, ModelEntry } from '@proj/client';
import { attributeAt } from '@proj/contract';
import { keepPreviousData, useQuery } from '@tanstack/preact-query';

import { type AskedFacets, facetKind, readFacets } from '../api/facets.ts';
import { withoutFacet } from '../state/filter/facet-conditions.ts';
import { inZone, requestedRelated, viewFilter } from '../state/view/view-query.ts';
import type { ViewState } from '../state/view-state.ts';

/** How much of an attribute is shown at the side. */
const [MOST_VALUES, MOST_BINS] = [10, 12];

/**
 * The facets of these attributes, from one request and so from one state of the data. Each is of
 * the list without what the facet itself chose, so that more can be chosen.
 */
export function useFacets(model: ModelEntry, view: ViewState, names: readonly string[]) {
  const query = facetsQuery(model, view, names);
  return useQuery({
    queryKey: ['facets', query],
    enabled: names.length > 0,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => readFacets(query, signal),
  });
}

/** A facet without a filter of its own has the common one, which is that of most of them. */
function facetsQuery(model: ModelEntry, view: ViewState, names: readonly string[]): AskedFacets {
  const facets = names.map((name) => facetOf(model, view, name));
  const common = viewFilter(view, model);
  const isAll = common === undefined || facets.some(({ filter }) => filter === undefined);
  const text = JSON.stringify(common);
  return {
    model: model.name,
    ...(!isAll && { filter: common }),
    ...requestedRelated(view, model),
    facets: facets.map(({ filter, ...facet }) => ({
      ...facet,
      ...(filter && (isAll || JSON.stringify(filter) !== text) && { filter }),
    })),
  };
}

function facetOf(model: ModelEntry, view: ViewState, attribute: string): FacetQuery {
  const entry = attributeAt(attribute, model);
  const kind = facetKind(model, entry) ?? 'values';
  const filter = viewFilter({ ...view, filter: withoutFacet(view.filter, attribute, kind) }, model);
  return {
    attribute,
    ...(kind === 'bins'
      ? { bins: MOST_BINS, ...inZone(entry, view.zone) }
      : { values: MOST_VALUES }),
    ...(filter && { filter }),
  };
}
