import type { RequestedGroups, RequestedTotal, SortableType } from '@proj/contract';

import type { QueryFilter } from './filter.ts';
import type { AnyModels, AttributeName, ModelName } from './models.ts';
import type { KnownPath } from './paths/paths.ts';
import type { NameOfType } from './paths/typed-paths.ts';
import type { CountedTotal } from './total.ts';

/**
 * One term of an order; `direction` is `asc` by default, and NULL counts as the largest value
 * unless `nulls` says otherwise.
 */
export interface Sort<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Named extends string = string,
> {
  readonly attribute: NameOfType<Models, Model, SortableType, Named>;
  /** @default 'asc' */
  readonly direction?: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last';
}

/** Which records of a model to read, and what of them. */
export interface Selection<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Attribute extends AttributeName<Models, Model> = AttributeName<Models, Model>,
  Total extends RequestedTotal = 'exact',
  Named extends string = string,
> {
  /** Name of the data model. */
  readonly model: Model;
  /** The attributes to return for each record: 1 to 200 names or paths, none twice. */
  readonly attributes: readonly (Attribute & KnownPath<Models, Model, Attribute>)[];
  /** Maximum number of records per page, 1 to the model's `max_page_size`. */
  readonly size: number;
  /**
   * Which records to read. The service checks names and values and refuses what does not fit.
   *
   * @default all records
   */
  readonly filter?: QueryFilter<Models, Model, Named>;
  /**
   * The order, at most 5 terms. The model's key always follows, so that no two records tie.
   *
   * @default the model's own order
   */
  readonly sort?: readonly Sort<Models, Model, Named>[];
  /**
   * How much of the total the service counts, for lists that are too long to count: all of it;
   * nothing; or up to a number of records, 1 to the limit of the service. Records and `hasNext` are
   * exact in any case.
   *
   * @default 'exact'
   */
  readonly total?: Total;
}

/** One page of a model's records. */
export interface Query<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Attribute extends AttributeName<Models, Model> = AttributeName<Models, Model>,
  Total extends RequestedTotal = 'exact',
  Named extends string = string,
> extends Selection<Models, Model, Attribute, Total, Named> {
  /** Number of the page, 1 to 2^53 − 1; counting starts at 1. */
  readonly page: number | bigint;
}

/** The page of a list that holds a record, whatever its number is. */
export interface PageOfQuery<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Attribute extends AttributeName<Models, Model> = AttributeName<Models, Model>,
  Total extends CountedTotal = 'exact',
  Named extends string = string,
> extends Selection<Models, Model, Attribute, Total, Named> {
  /**
   * The record: a value for each attribute of the model's `key`, and for no other. The service says
   * what is missing.
   */
  readonly containing: Readonly<Partial<Models[Model]>>;
}

/** A list as the code inside reads it: of records, or of groups of them. */
export interface MaybeGrouped {
  readonly groups?: RequestedGroups;
}

/** A selection as the code inside reads it, whatever it asks for. */
export type AnySelection = Selection<AnyModels, string, string, RequestedTotal> & MaybeGrouped;

/** A query as the code inside reads it, whatever it asks for. */
export type AnyQuery = Query<AnyModels, string, string, RequestedTotal> & MaybeGrouped;

/** A query for one page as the code inside reads it: by its number, or by a record. */
export type AnyPageQuery =
  | AnyQuery
  | (AnySelection & Pick<PageOfQuery<AnyModels, string, string>, 'containing'>);
