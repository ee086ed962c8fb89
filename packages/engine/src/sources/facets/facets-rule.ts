import { hash } from 'node:crypto';

import type { FacetStatements } from '../../sql/facet-statements.ts';
import type { SnapshotRule } from '../reads/rule.ts';
import type { FacetsRead } from './facets-read.ts';
import { readFacets } from './read-facets.ts';

export const FACETS: SnapshotRule<FacetStatements, FacetsRead> = {
  termsOf: (facets) => ({ ...facets, session: facets.read.session }),
  shapeOf: ({ read }) => `facets ${hash('sha256', read.sql, 'base64url').slice(0, 22)}`,
  async inSnapshot(snapshot, facets, values) {
    const read = await readFacets(facets, {
      ...values,
      texts: async (statement) =>
        ((await snapshot.row(statement)) ?? []).map((cell) =>
          typeof cell === 'string' ? cell : null,
        ),
    });
    return { ...read, version: await snapshot.version() };
  },
};
