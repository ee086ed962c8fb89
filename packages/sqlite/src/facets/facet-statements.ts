import { type Dialect, Facets } from '@proj/engine/database';

import { selectBins, selectRange } from './facet-bins.ts';
import { selectValues } from './facet-values.ts';

const SELECTS: Parameters<typeof Facets.selectInOneRow>[1] = {
  facet: (facet) => (facet.kind === 'values' ? selectValues(facet) : selectBins(facet)),
  range: selectRange,
};

export const sqliteFacets: Dialect['facets'] = {
  select: (facets) => Facets.selectInOneRow(facets, SELECTS),
  selectRanges: (bins) => Facets.selectRangesInOneRow(bins, SELECTS),
};
