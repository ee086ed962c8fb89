import type { ModelEntry } from '@proj/contract';

import { readModel, readModels } from './catalogue.ts';
import { readOptions, type ClientOptions, type RequestOptions } from './options.ts';
import { readPage, type Page } from './page.ts';
import type { ElementOf, ListQuery, Query } from './query.ts';
import { createTransport } from './transport.ts';
import { walkPages, walkRecords } from './walk.ts';

/**
 * Reads the models of one service. Made by {@link createClient}; it holds no connection and needs no closing.
 *
 * Every request rejects with a {@link DynamicQueryError}, with the reason of its signal once that is aborted, or with what the
 * `token` function throws.
 */
export interface DynamicQueryClient {
  /**
   * Reads one page. A page past the end is empty and carries the total.
   *
   * @throws {ProblemError} when the service refuses the request or cannot answer it.
   * @throws {InvalidReplyError} when the reply is not an answer to this request.
   * @throws {NetworkError | TimeoutError} when no reply arrives, or not in time.
   * @throws {RangeError} when page or size is out of its range; nothing is sent then.
   */
  query<const Attributes extends readonly string[]>(
    query: Query<Attributes>,
    options?: RequestOptions,
  ): Promise<Page<ElementOf<Attributes>>>;

  /**
   * All pages, one request at a time: a page is requested when the iteration asks for it. It ends with the first page after
   * which none follows; an empty list has one empty page. Rows that others insert or delete meanwhile can move elements
   * from page to page, so that the walk misses some or meets some twice.
   *
   * @throws {EndlessListError} when the list does not end; while iterating, as are the errors of {@link query}.
   * @throws {RangeError} at once when `maxPages` is out of its range.
   */
  pages<const Attributes extends readonly string[]>(
    list: ListQuery<Attributes>,
    options?: RequestOptions,
  ): AsyncIterable<Page<ElementOf<Attributes>>>;

  /** The elements of all {@link pages}, one by one. */
  records<const Attributes extends readonly string[]>(
    list: ListQuery<Attributes>,
    options?: RequestOptions,
  ): AsyncIterable<ElementOf<Attributes>>;

  /**
   * The models that the token may see.
   *
   * @throws {DynamicQueryError} as {@link query}.
   */
  models(options?: RequestOptions): Promise<readonly ModelEntry[]>;

  /**
   * One model by its name.
   *
   * @throws {DynamicQueryError} as {@link query}.
   */
  model(name: string, options?: RequestOptions): Promise<ModelEntry>;
}

/**
 * Makes a client. Nothing is sent yet.
 *
 * @throws {TypeError | RangeError} when an option is wrong; the message says what to pass.
 */
export function createClient(options: ClientOptions): DynamicQueryClient {
  const transport = createTransport(readOptions(options));

  const client: DynamicQueryClient = {
    query: async (query, { signal } = {}) => readPage(transport, query, { signal }),
    pages: ({ from = 1, maxPages = 1_000_000, ...list }, { signal } = {}) => {
      const first = { ...list, page: from };
      return walkPages({ firstPage: async () => client.query(first, { signal }), maxPages, signal });
    },
    records: (list, { signal } = {}) => walkRecords(client.pages(list, { signal }), { signal }),
    models: async ({ signal } = {}) => readModels(transport, { signal }),
    model: async (name, { signal } = {}) => readModel(transport, name, { signal }),
  };
  return client;
}
