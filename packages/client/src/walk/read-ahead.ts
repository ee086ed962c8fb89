import type { PageTotal } from '../options/total.ts';
import type { Page } from './page.ts';

/** Which pages to read, and how many at once. */
export interface ReadAheadOptions {
  /** Number of the first page. */
  readonly from: number;
  readonly concurrency: number;
  readonly maxPages: number;
}

/**
 * The pages from a number on, in order, several requested at once. Pages are requested only while
 * the consumer asks for one, and only up to the page count of the latest reply, which may have
 * changed since the start. A list that shrinks ends with empty pages where they were requested
 * already. Without a total, requested pages past the first one without a successor are dropped.
 */
export async function* readAhead<Item, Total extends PageTotal>(
  read: (page: number) => Promise<Page<Item, Total>>,
  { from, concurrency, maxPages }: ReadAheadOptions,
): AsyncGenerator<Page<Item, Total>, void, void> {
  const underWay = [read(from)];
  let next = from + 1;
  for (let head = underWay.shift(); head !== undefined; head = underWay.shift()) {
    const page = await head;
    yield page;
    const { pageCount, hasNext } = page;
    if (pageCount === null && !hasNext) return;
    const last = pageCount ?? Number.MAX_SAFE_INTEGER;
    while (underWay.length < concurrency && next <= last && next - from < maxPages) {
      const reading = read(next++);
      // The read may fail before its page is delivered, or the page may never be: the rejection is
      // handled here.
      reading.catch(() => undefined);
      underWay.push(reading);
    }
  }
}
