import type { DynamicQueryClient, RequestOptions } from '@proj/client';

import { MappingError } from '../errors.ts';

/** At most so many values has a facet. */
const MOST_VALUES = 1000;

/** As much of a client as is needed for the values of columns: one of `createClient`. */
export interface FacetsClient {
  facets(query: never, options?: RequestOptions): Promise<unknown>;
}

/** Whose values are wanted. */
export interface ColumnValuesQuery extends RequestOptions {
  readonly model: string;
  readonly attribute: string;
}

/** One value of a column. */
export interface ColumnValue {
  /** As in records; `null` stands for the records that have none. */
  readonly value: unknown;
  /** How many records of the model have it. */
  readonly count: bigint;
}

/**
 * All values that a column has, in their order, with NULL last if it occurs: for set filters and
 * selections.
 *
 * @throws {MappingError} where there are more than 1000: none is left out.
 * @throws {DynamicQueryError} as the client; a 404 is a service without facets.
 */
export async function columnValues(
  client: FacetsClient,
  { model, attribute, signal }: ColumnValuesQuery,
): Promise<ColumnValue[]> {
  const asked = { attribute, values: MOST_VALUES, sort: 'value' } as const;
  const { facets } = await (client as DynamicQueryClient).facets(
    { model, facets: [asked] },
    { signal },
  );
  const [{ values, nulls, distinct }] = facets;
  if (distinct > BigInt(values.length))
    throw new MappingError({
      grid: model,
      column: attribute,
      condition: 'values of a filter',
      reason: `there are ${distinct}, and at most ${MOST_VALUES} are read`,
      instead: 'a filter of texts or numbers',
    });
  return nulls > 0n ? [...values, { value: null, count: nulls }] : [...values];
}
