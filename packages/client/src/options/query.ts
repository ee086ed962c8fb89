import type { FilterLeaf, RequestedTotal } from '@proj/contract';

/**
 * One term of an order; `direction` is `asc` by default, and NULL counts as the largest value
 * unless `nulls` says otherwise.
 */
export interface Sort<Name extends string = string> {
  readonly attribute: Name;
  /** @default 'asc' */
  readonly direction?: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last';
}

/** A comparison, or a tree of them. Values of int64 may be bigints; they travel as strings. */
export type QueryFilter<Name extends string = string> =
  | (FilterLeaf & { readonly attribute: Name })
  | { readonly and: readonly QueryFilter<Name>[] }
  | { readonly or: readonly QueryFilter<Name>[] }
  | { readonly not: QueryFilter<Name> };

/** Which records of a model to read, and what of them. */
export interface Selection<
  Attributes extends readonly string[] = readonly string[],
  Model extends string = string,
  Name extends string = string,
  Total extends RequestedTotal = 'exact',
> {
  /** Name of the data model. */
  readonly model: Model;
  /** The attributes to return for each record: 1 to 200 names, none twice. */
  readonly attributes: Attributes;
  /** Maximum number of records per page, 1 to the model's `max_page_size`. */
  readonly size: number;
  /**
   * Which records to read. The service checks names and values and refuses what does not fit.
   *
   * @default all records
   */
  readonly filter?: QueryFilter<Name>;
  /**
   * The order, at most 5 terms. The model's key always follows, so that no two records tie.
   *
   * @default the model's own order
   */
  readonly sort?: readonly Sort<Name>[];
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
  Attributes extends readonly string[] = readonly string[],
  Model extends string = string,
  Name extends string = string,
  Total extends RequestedTotal = 'exact',
> extends Selection<Attributes, Model, Name, Total> {
  /** Number of the page, 1 to 2^53 − 1; counting starts at 1. */
  readonly page: number;
}

type Names = readonly string[];

/** A selection as the code inside reads it, whatever it asks for. */
export type AnySelection = Selection<Names, string, string, RequestedTotal>;

/** A query as the code inside reads it, whatever it asks for. */
export type AnyQuery = Query<Names, string, string, RequestedTotal>;
