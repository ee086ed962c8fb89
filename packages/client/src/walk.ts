import { EndlessListError } from './errors/endless-list-error.ts';
import type { RequestOptions } from './options.ts';
import type { Page } from './page.ts';

/** What a walk starts from. */
export interface WalkStart<Element> extends RequestOptions {
  readonly firstPage: () => Promise<Page<Element>>;
  readonly maxPages: number;
}

/**
 * The pages from the first one on, one request at a time, until one says that none follows. Each iteration reads anew.
 *
 * @throws {RangeError} when `maxPages` is not a whole number of at least 1 or `Infinity`.
 */
export function walkPages<Element>({ firstPage, maxPages, signal }: WalkStart<Element>): AsyncIterable<Page<Element>> {
  if (!(maxPages === Infinity || (Number.isInteger(maxPages) && maxPages >= 1))) {
    throw new RangeError(`maxPages: expected a whole number of at least 1, or Infinity; got ${maxPages}`);
  }
  return {
    async *[Symbol.asyncIterator]() {
      let page: Page<Element> | null = await firstPage();
      for (let read = 1; page !== null; read++) {
        yield page;
        if (page.hasNext && read >= maxPages) throw tooManyPages(page.number, maxPages);
        page = await page.next({ signal });
      }
    },
  };
}

/** The elements of the pages, one by one. */
export function walkRecords<Element>(pages: AsyncIterable<Page<Element>>, { signal }: RequestOptions): AsyncIterable<Element> {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const page of pages) {
        for (const record of page.records) {
          signal?.throwIfAborted();
          yield record;
        }
      }
    },
  };
}

function tooManyPages(page: number, maxPages: number): EndlessListError {
  return new EndlessListError(page, `maxPages is ${maxPages}, and more pages follow. Raise maxPages if the list is that long`);
}
