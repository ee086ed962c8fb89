import type {
  RequestedGroups,
  RequestedRelated,
  RequestedTotal,
  SortableType,
} from '@proj/contract';

import type { QueryFilter } from './filter.ts';
import type { AnyModels, AttributeName, KnownPath, ModelName } from './models.ts';
import type { NameOfType } from './typed-paths.ts';

/** NULL counts as the largest value unless `nulls` says otherwise. */
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

export interface Selection<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Attribute extends AttributeName<Models, Model> = AttributeName<Models, Model>,
  Total extends RequestedTotal = 'exact',
  Named extends string = string,
> {
  readonly model: Model;
  /** 1 to 200 names or paths, none twice. */
  readonly attributes: readonly (Attribute & KnownPath<Models, Model, Attribute>)[];
  /** Maximum number of records per page, 1 to the model's `max_page_size`. */
  readonly size: number;
  /** The service checks names and values. @default all records */
  readonly filter?: QueryFilter<Models, Model, Named>;
  /** At most 5 terms; the model's key always follows. @default the model's own order */
  readonly sort?: readonly Sort<Models, Model, Named>[];
  /**
   * How much of the total to count: all of it, nothing, or up to a number of records, 1 to the
   * limit of the service. Records and `hasNext` are exact in any case.
   *
   * @default 'exact'
   */
  readonly total?: Total;
}

export interface Query<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Attribute extends AttributeName<Models, Model> = AttributeName<Models, Model>,
  Total extends RequestedTotal = 'exact',
  Named extends string = string,
> extends Selection<Models, Model, Attribute, Total, Named> {
  /** 1 to 2^53 − 1. */
  readonly page: number | bigint;
}

export interface PageOfQuery<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Attribute extends AttributeName<Models, Model> = AttributeName<Models, Model>,
  Total extends CountedTotal = 'exact',
  Named extends string = string,
> extends Selection<Models, Model, Attribute, Total, Named> {
  /** A value for each attribute of the model's `key`, and no other. */
  readonly containing: Readonly<Partial<Models[Model]>>;
}

/** A list of records, or of groups of them. */
export interface MaybeGrouped {
  readonly related?: RequestedRelated;
  readonly groups?: RequestedGroups;
}

export type AnySelection = Selection<AnyModels, string, string, RequestedTotal> & MaybeGrouped;

export type AnyQuery = Query<AnyModels, string, string, RequestedTotal> & MaybeGrouped;

export type AnyPageQuery =
  | AnyQuery
  | (AnySelection & Pick<PageOfQuery<AnyModels, string, string>, 'containing'>);

/** `null` where it was not asked for, or passes the limit of counting. */
export type PageTotal = bigint | null;

/** For a page that is found by a record, whose place is always counted. */
export type CountedTotal = Exclude<RequestedTotal, 'none'>;

/** `null` where the number would not be exact. */
export function totalNumber(total: PageTotal): number | null {
  const number = Number(total);
  return total !== null && Number.isSafeInteger(number) ? number : null;
}

export type TotalOf<Requested extends RequestedTotal> = Requested extends 'exact'
  ? bigint
  : Requested extends 'none'
    ? null
    : PageTotal;
