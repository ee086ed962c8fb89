import type { Filter } from '@proj/contract';

/** One term of an order; `direction` is `asc` by default, and NULL counts as the largest value unless `nulls` says otherwise. */
export interface Sort {
  readonly attribute: string;
  readonly direction?: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last';
}

/** One page of a model's elements. */
export interface Query<Attributes extends readonly string[] = readonly string[]> {
  /** Name of the data model. */
  readonly model: string;
  /** The attributes to return for each element: 1 to 200 names, none twice. */
  readonly attributes: Attributes;
  /** Number of the page, 1 to 2^53 − 1; counting starts at 1. */
  readonly page: number;
  /** Maximum number of elements per page, 1 to the model's `max_page_size`. */
  readonly size: number;
  /** Which elements to read; all by default. The service checks names and values and refuses what does not fit. */
  readonly filter?: Filter;
  /** The order, at most 5 terms; the model's own by default. The model's key always follows, so that no two elements tie. */
  readonly sort?: readonly Sort[];
}

/** All pages of a model's elements, from one of them on. */
export interface ListQuery<Attributes extends readonly string[] = readonly string[]> extends Omit<Query<Attributes>, 'page'> {
  /**
   * Number of the page to start with, 1 to 2^53 − 1.
   *
   * @default 1
   */
  readonly from?: number;
  /**
   * How many pages to read at most, at least 1; `Infinity` lifts the limit. It is a safeguard against a server that never says
   * that the list ends: passing it is an error, not the end of the iteration.
   *
   * @default 1_000_000
   */
  readonly maxPages?: number;
}

/** One element: a value for every requested attribute. JSON as the service sends it; the catalogue tells the types. */
export type ElementOf<Attributes extends readonly string[]> = Readonly<Record<Attributes[number], unknown>>;
