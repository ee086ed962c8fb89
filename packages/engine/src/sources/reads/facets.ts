import { hash } from 'node:crypto';

import type { FacetStatements } from '../../sql/facet-statements.ts';
import type { ReadRule } from './rule.ts';

/** Facets, which read whole lists. */
export const FACETS: ReadRule<FacetStatements> = {
  termsOf: (facets) => ({ ...facets, session: facets.read.session }),
  shapeOf: ({ read }) => `facets ${hash('sha256', read.sql, 'base64url').slice(0, 22)}`,
};
