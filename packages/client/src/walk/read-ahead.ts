import type { PageTotal } from '../options/total.ts';
import type { Page } from './page.ts';

export interface ReadAheadOptions {
  readonly from: number;
  readonly concurrency: number;
  readonly maxPages: number;
}

/**
 * The pages from a number on, in order, several requested at once. Requests start only while the
 * consumer asks for a page, up to the page count of the latest reply: a list that shrinks ends with
 * empty pages. Without a total, requested pages past the end are dropped.
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
      // The rejection may come before its page is delivered, or that may never be.
      reading.catch(() => undefined);
      underWay.push(reading);
    }
  }
}
