import type { FacetKind, RequestedRelated, TypeWithFacet } from '@proj/contract';

import type { QueryFilter } from './filter.ts';
import type { AnyModels, ModelName } from './models.ts';
import type { NameOfType } from './typed-paths.ts';
import type { WithRelated } from './related.ts';

interface FacetOf<
  Models,
  Model extends ModelName<Models>,
  Kind extends FacetKind,
  Named extends string,
> {
  /** An attribute whose `facets` in the catalogue has this kind. */
  readonly attribute: NameOfType<Models, Model, TypeWithFacet<Kind>, Named>;
  /** Which records to count instead. @default the common filter */
  readonly filter?: QueryFilter<Models, Model, Named>;
}

export interface ValuesQuery<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Named extends string = string,
> extends FacetOf<Models, Model, 'values', Named> {
  /** Maximum number of values, 1 to 1000. */
  readonly values: number;
  /** Most frequent first, or by value. @default 'count' */
  readonly sort?: 'count' | 'value';
}

export interface BinsQuery<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Named extends string = string,
> extends FacetOf<Models, Model, 'bins', Named> {
  /** Maximum number of even intervals, 1 to 1000. */
  readonly bins: number;
  /** Whose local times show the bounds of `timestamp_tz`, such as `Europe/Paris`. @default UTC */
  readonly time_zone?: string;
}

export type FacetQuery<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Named extends string = string,
> = ValuesQuery<Models, Model, Named> | BinsQuery<Models, Model, Named>;

export interface FacetsQuery<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Facets extends readonly FacetQuery<Models, Model>[] = readonly FacetQuery<Models, Model>[],
  Named extends string = string,
> {
  readonly model: Model;
  /** Which records to look at. @default all records */
  readonly filter?: QueryFilter<Models, Model, Named>;
  /** 1 to 20. */
  readonly facets: Facets & readonly FacetQuery<Models, Model, Named>[];
}

/** Facets as the code inside reads them. */
export type AnyFacetsQuery = FacetsQuery<AnyModels, string> & WithRelated<RequestedRelated>;
