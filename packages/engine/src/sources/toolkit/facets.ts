export { binOf } from '../facets/bin-tree.ts';
export { selectInOneRow } from '../facets/one-row.ts';
export { readFacets } from '../facets/read-facets.ts';
export type { ListFields } from '../../sql/query-statements.ts';
