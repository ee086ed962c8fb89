

import { type FacetDialect, selectInOneRow, selectRangesInOneRow } from '@proj/engine/database';

import { selectBins, selectRange } from './facet-bins.ts';
import { selectValues } from './facet-values.ts';

const SELECTS: Parameters<typeof selectInOneRow>[1] = {
  facet: (facet) => (facet.kind === 'values' ? selectValues(facet) : selectBins(facet)),
  range: selectRange,
};

export const sqliteFacets: FacetDialect = {
  select: (facets) => selectInOneRow(facets, SELECTS),
  selectRanges: (bins) => selectRangesInOneRow(bins, SELECTS),
};
