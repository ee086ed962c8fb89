import type { Engine } from '@proj/engine';

import { recordsOf } from '../../lists.ts';
import { askFacets, type Facet } from '../checked-facets.ts';

/** An attribute of a table. */
interface Added {
  readonly query_model: string;
  readonly attribute: string;
}

/** The sum and the average of an attribute, in the one group of a table by its column `part`. */
export async function groupOf(engine: Engine, { query_model, attribute }: Added): Promise<unknown> {
  const [group] = await recordsOf(engine, {
    query_model,
    query_attributes: ['sum', 'average'],
    query_groups: ['part'],
    query_aggregates: ['sum', 'average'].map((op) => ({ name: op, op, attribute })),
  });
  return group;
}

/** The same of all records, by a facet. */
export async function facetSumsOf(
  engine: Engine,
  { query_model, attribute }: Added,
): Promise<unknown> {
  const request = { model: query_model, facets: [{ attribute, bins: 2 }] };
  const [{ sum, average } = {}] = (await askFacets(engine, request)).facets as Partial<Facet>[];
  return { sum, average };
}
