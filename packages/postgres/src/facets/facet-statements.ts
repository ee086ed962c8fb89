import type { RawBuilder } from 'kysely';
import { type FacetDialect, selectInOneRow, selectRangesInOneRow } from '@proj/engine/database';

import { selectBins, selectRange } from './facet-bins.ts';
import { selectValues } from './facet-values.ts';

const SELECTS: Parameters<typeof selectInOneRow>[1] = {
  facet: (facet) => (facet.kind === 'values' ? selectValues(facet) : selectBins(facet)),
  range: selectRange,
};

/** @param version the version of the data, which is selected last */
export function postgresFacets(version: RawBuilder<unknown>): FacetDialect {
  return {
    select: (facets) => selectInOneRow(facets, SELECTS, [version]),
    selectRanges: (bins) => selectRangesInOneRow(bins, SELECTS),
  };
}
