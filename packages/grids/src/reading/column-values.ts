import { MappingError } from '../errors/mapping-error.ts';

/** At most so many values has a facet. */
const MOST_VALUES = 1000;

interface FacetsAnswer {
  readonly facets: readonly {
    readonly values?: readonly { readonly value: unknown; readonly count: bigint }[];
    readonly nulls: bigint;
    readonly distinct?: bigint;
  }[];
}

interface FacetsRequest {
  readonly model: string;
  readonly facets: readonly {
    readonly attribute: string;
    readonly values: number;
    readonly sort: 'value';
  }[];
}

interface Options {
  readonly signal?: AbortSignal | undefined;
}

/** A client as it is called here. */
interface OpenClient {
  facets(query: FacetsRequest, options: Options): Promise<FacetsAnswer>;
}

/** As much of a client as is needed for the values of columns: one of `createClient`. */
export interface FacetsClient {
  facets(query: never, options?: Options): Promise<unknown>;
}

/** Whose values are wanted. */
export interface ColumnValuesQuery extends Options {
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
  const { facets } = await (client as OpenClient).facets({ model, facets: [asked] }, { signal });
  const { values = [], nulls = 0n, distinct = 0n } = facets[0] ?? {};
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
