import type {
  AggregateTerm,
  Filter,
  KnownList,
  ModelEntry,
  RequestedTotal,
  Sort,
} from '@proj/client';
import type { RequestedRelated } from '@proj/contract';

/** One record, by the names of its attributes. */
export type Row = Readonly<Record<string, unknown>>;

/** Which records a grid wants. */
export interface GridList {
  readonly model: string;
  readonly attributes: readonly string[];
  readonly filter?: Filter;
  readonly sort?: readonly Sort[];
  readonly related?: RequestedRelated;
  readonly total?: RequestedTotal;
}

/** A page of them. */
export interface GridQuery extends GridList {
  readonly page: number;
  readonly size: number;
}

/** Which groups of records a grid wants. */
export interface GridGroups {
  readonly model: string;
  readonly by: readonly string[];
  readonly aggregates: Readonly<Record<string, AggregateTerm>>;
  readonly filter?: Filter;
  readonly sort?: readonly Sort[];
  readonly related?: RequestedRelated;
  readonly size: number;
}

/** As much of a page as grids use. */
export interface GridPage {
  readonly records: Row[];
  readonly total: bigint | null;
  readonly totalNumber: number | null;
  readonly hasNext: boolean;
  readonly dataVersion: string | null;
}

interface Options {
  readonly signal?: AbortSignal | undefined;
}

interface Watching {
  readonly signal?: AbortSignal;
  readonly everyMs?: number;
}

/** As much of the groups of a client as grids use. */
interface GroupPages {
  page(number: number, options?: Options): Promise<GridPage>;
}

/**
 * As much of a client as grids use: one of `createClient`, whatever its models. What it takes is
 * checked at run time, since grids name columns by texts.
 */
export interface GridClient {
  query(query: never, options?: Options): Promise<GridPage>;
  groups(query: never): GroupPages;
  model(name: never, options?: Options): Promise<ModelEntry>;
  models(options?: Options): Promise<readonly ModelEntry[]>;
  watch(list: never, options?: Watching): AsyncIterable<KnownList>;
}

/** A client as adapters call it. */
export interface OpenClient {
  query(query: GridQuery, options?: Options): Promise<GridPage>;
  groups(query: GridGroups): GroupPages;
  model(name: string, options?: Options): Promise<ModelEntry>;
  models(options?: Options): Promise<readonly ModelEntry[]>;
  watch(list: GridList, options?: Watching): AsyncIterable<KnownList>;
}
