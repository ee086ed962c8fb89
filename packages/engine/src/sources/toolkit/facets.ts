export { binOf } from '../facets/bin-tree.ts';
export type { FacetCells } from '../facets/facet-columns.ts';
export { answerOfRow, rangesOfRow } from '../facets/one-row-cells.ts';
export { facetColumns, selectInOneRow, selectRangesInOneRow } from '../facets/one-row.ts';
export { binsOf, readFacets } from '../facets/read-facets.ts';
export type { FacetsAnswer, Ranges } from '../facets/read-facets.ts';
export { recordsOf } from '../../sql/facet-clauses.ts';
export type { BinsShape, FacetShape } from '../../sql/facet-statements.ts';
