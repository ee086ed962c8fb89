import type { FacetDialect } from '../../../sql/facet-clauses.ts';
import { selectInOneRow, selectRangesInOneRow } from '../../facets/one-row.ts';
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
