import type { QueryFilter } from './filter.ts';
import type { AnyModels, AttributeName, ModelName } from './models.ts';

interface FacetOf<Models, Model extends ModelName<Models>> {
  /** An attribute whose `facets` in the catalogue has this kind. */
  readonly attribute: AttributeName<Models, Model>;
  /**
   * Which records to look at in place of those of the common filter.
   *
   * @default the common filter
   */
  readonly filter?: QueryFilter<Models, Model>;
}

/** Asks how often an attribute has which value. */
export interface ValuesQuery<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
> extends FacetOf<Models, Model> {
  /** How many values to return at most, 1 to 1000. */
  readonly values: number;
  /**
   * The order of the values: the most frequent first, or by themselves.
   *
   * @default 'count'
   */
  readonly sort?: 'count' | 'value';
}

/** Asks how the numbers or dates of an attribute are distributed. */
export interface BinsQuery<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
> extends FacetOf<Models, Model> {
  /** Into how many even intervals to divide them at most, 1 to 1000. */
  readonly bins: number;
}

/** One facet that is asked for. */
export type FacetQuery<Models = AnyModels, Model extends ModelName<Models> = ModelName<Models>> =
  | ValuesQuery<Models, Model>
  | BinsQuery<Models, Model>;

/** What attributes of a model hold. */
export interface FacetsQuery<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Facets extends readonly FacetQuery<Models, Model>[] = readonly FacetQuery<Models, Model>[],
> {
  /** Name of the data model. */
  readonly model: Model;
  /**
   * Which records to look at.
   *
   * @default all records
   */
  readonly filter?: QueryFilter<Models, Model>;
  /** The facets, 1 to 20. */
  readonly facets: Facets;
}

/** Facets as the code inside reads them. */
export type AnyFacetsQuery = FacetsQuery<AnyModels, string>;
