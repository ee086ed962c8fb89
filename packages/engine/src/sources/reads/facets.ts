import { hash } from 'node:crypto';

import type { FacetStatements } from '../../sql/facet-statements.ts';
import type { FacetsRead } from '../facets/facets-read.ts';
import { readFacets } from '../facets/read-facets.ts';
import type { SnapshotRule } from './rule.ts';

/** Facets, which read whole lists. */
export const FACETS: SnapshotRule<FacetStatements, FacetsRead> = {
  termsOf: (facets) => ({ ...facets, session: facets.read.session }),
  shapeOf: ({ read }) => `facets ${hash('sha256', read.sql, 'base64url').slice(0, 22)}`,
  async inSnapshot(snapshot, facets, values) {
    const read = await readFacets(facets, {
      ...values,
      texts: async (statement) =>
        ((await snapshot.row(statement)) ?? []).map((cell) =>
          cell === null ? null : String(cell),
        ),
    });
    return { ...read, version: await snapshot.version() };
  },
};
