import { type Dialect, Facets } from '@proj/engine/database';
import type { RawBuilder } from 'kysely';

import { selectBins, selectRange } from './facet-bins.ts';
import { selectValues } from './facet-values.ts';

const SELECTS: Parameters<typeof Facets.selectInOneRow>[1] = {
  facet: (facet) => (facet.kind === 'values' ? selectValues(facet) : selectBins(facet)),
  range: selectRange,
};

/** @param version the version of the data, which is selected last */
export function postgresFacets(version: RawBuilder<unknown>): Dialect['facets'] {
  return {
    select: (facets) => Facets.selectInOneRow(facets, SELECTS, [version]),
    selectRanges: (bins) => Facets.selectRangesInOneRow(bins, SELECTS),
  };
}
