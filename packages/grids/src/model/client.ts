import type {
  Filter,
  KnownList,
  ModelEntry,
  RequestedTotal,
  RequestOptions,
  Sort,
  WatchOptions,
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

/** As much of a page as grids use. */
export interface GridPage {
  readonly records: Row[];
  readonly total: bigint | null;
  readonly totalNumber: number | null;
  readonly hasNext: boolean;
  readonly dataVersion: string | null;
}

/**
 * As much of a client as grids use: one of `createClient`, whatever its models. What it takes is
 * checked at run time, since grids name columns by texts.
 */
export interface GridClient {
  query(query: never, options?: RequestOptions): Promise<GridPage>;
  groups(query: never): { page(number: number, options?: RequestOptions): Promise<GridPage> };
  model(name: never, options?: RequestOptions): Promise<ModelEntry>;
  models(options?: RequestOptions): Promise<readonly ModelEntry[]>;
  watch(list: never, options?: WatchOptions): AsyncIterable<KnownList>;
}
