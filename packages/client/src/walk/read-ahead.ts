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
 * the iteration asks for one, and only those that followed when the last page was read that is
 * known: it may be more or fewer than at the start. A list that shrinks ends with empty pages where
 * they were requested already. Without a total the pages behind one that is followed by none are
 * left.
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
      // It may fail before its turn comes, or its turn may never come.
      reading.catch(() => undefined);
      underWay.push(reading);
    }
  }
}
