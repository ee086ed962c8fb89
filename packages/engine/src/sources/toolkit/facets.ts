export { binOf } from '../facets/facet-sql.ts';
export { readFacets } from '../facets/read-facets.ts';
export type { ListFields } from '../../sql/query-statements.ts';
