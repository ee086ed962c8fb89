import type { FacetKind, TypeWithFacet } from '@proj/contract';

import type { QueryFilter } from './filter.ts';
import type { AnyModels, ModelName } from './models.ts';
import type { NameOfType } from './paths/typed-paths.ts';

interface FacetOf<
  Models,
  Model extends ModelName<Models>,
  Kind extends FacetKind,
  Named extends string,
> {
  /** An attribute whose `facets` in the catalogue has this kind. */
  readonly attribute: NameOfType<Models, Model, TypeWithFacet<Kind>, Named>;
  /**
   * Which records to look at in place of those of the common filter.
   *
   * @default the common filter
   */
  readonly filter?: QueryFilter<Models, Model, Named>;
}

/** Asks how often an attribute has which value. */
export interface ValuesQuery<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Named extends string = string,
> extends FacetOf<Models, Model, 'values', Named> {
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
  Named extends string = string,
> extends FacetOf<Models, Model, 'bins', Named> {
  /** Into how many even intervals to divide them at most, 1 to 1000. */
  readonly bins: number;
}

/** One facet that is asked for. */
export type FacetQuery<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Named extends string = string,
> = ValuesQuery<Models, Model, Named> | BinsQuery<Models, Model, Named>;

/** What attributes of a model hold. */
export interface FacetsQuery<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Facets extends readonly FacetQuery<Models, Model>[] = readonly FacetQuery<Models, Model>[],
  Named extends string = string,
> {
  /** Name of the data model. */
  readonly model: Model;
  /**
   * Which records to look at.
   *
   * @default all records
   */
  readonly filter?: QueryFilter<Models, Model, Named>;
  /** The facets, 1 to 20. */
  readonly facets: Facets & readonly FacetQuery<Models, Model, Named>[];
}

/** Facets as the code inside reads them. */
export type AnyFacetsQuery = FacetsQuery<AnyModels, string>;
