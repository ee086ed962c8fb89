import { EndlessListError } from '../errors/errors.ts';
import { leavable } from '../http/leavable.ts';
import type { RequestOptions } from '../options/client-options.ts';
import { type AnyListQuery, readList } from '../options/list-query.ts';
import type { PageTotal } from '../options/query.ts';
import { readWalkOptions, type WalkOptions, type WalkSettings } from '../options/walk-options.ts';
import type { ReadModel } from '../query/catalogue.ts';
import type { ReadQuery } from '../query/read-query.ts';
import { type DriftWatch, watchDrift } from './drift.ts';
import { walkByKey } from './key-walk.ts';
import { type Page, readPage } from './page.ts';
import { type Repetition, trackRepetition } from './repetition.ts';

export type ReadPages = <Item, Total extends PageTotal>(
  query: AnyListQuery,
  options?: WalkOptions<Total>,
) => AsyncIterable<Page<Item, Total>>;

/** The function throws wrong arguments at once. */
export function createReadPages(read: ReadQuery, readModel: ReadModel): ReadPages {
  return <Item, Total extends PageTotal>(query: AnyListQuery, options: WalkOptions<Total> = {}) => {
    const list = readList(query);
    const settings = readWalkOptions(options, list.order);
    const { selection, maxPages } = list;
    const pages = (signal: AbortSignal): AsyncIterable<Page<Item, Total>> => {
      if (list.order === 'key')
        return walkByKey<Item, Total>(
          { read, readModel, selection, after: list.after },
          { signal },
        );
      const readNumber = async (page: number) =>
        readPage<Item, Total>(read, { ...selection, page }, { signal });
      return readAhead(readNumber, {
        from: list.from,
        concurrency: settings.concurrency,
        maxPages,
      });
    };
    return walkPages({ pages, maxPages }, settings);
  };
}

export interface WalkStart<Item, Total extends PageTotal> {
  /** In order; its requests take the signal. */
  readonly pages: (signal: AbortSignal) => AsyncIterable<Page<Item, Total>>;
  readonly maxPages: number;
}

/** Each iteration reads anew, and aborts pending requests when it ends early. */
function walkPages<Item, Total extends PageTotal>(
  { pages, maxPages }: WalkStart<Item, Total>,
  settings: WalkSettings<Total>,
): AsyncIterable<Page<Item, Total>> {
  async function* walk(ended: AbortController): AsyncGenerator<Page<Item, Total>, void, undefined> {
    const signal = settings.signal
      ? AbortSignal.any([settings.signal, ended.signal])
      : ended.signal;
    const watch = watchWalk<Item, Total>(settings);
    let count = 0;
    try {
      for await (const page of pages(signal)) {
        signal.throwIfAborted();
        watch(page);
        yield page;
        count += 1;
        if (page.hasNext && count >= maxPages) throw tooManyPages(page.number, maxPages);
      }
    } finally {
      ended.abort();
    }
  }
  return {
    [Symbol.asyncIterator]() {
      const ended = new AbortController();
      return leavable(walk(ended), () => ended.abort());
    },
  };
}

export function walkRecords<Item>(
  pages: AsyncIterable<Page<Item, PageTotal>>,
  { signal }: RequestOptions,
): AsyncIterable<Item> {
  async function* recordsOf(
    walk: AsyncIterator<Page<Item, PageTotal>>,
  ): AsyncGenerator<Item, void, undefined> {
    for await (const page of { [Symbol.asyncIterator]: () => walk }) {
      for (const record of page.records) {
        signal?.throwIfAborted();
        yield record;
      }
    }
  }
  return {
    [Symbol.asyncIterator]() {
      const walk = pages[Symbol.asyncIterator]();
      return leavable(recordsOf(walk), async () => walk.return?.());
    },
  };
}

/** Takes each page before it is delivered. */
function watchWalk<Item, Total extends PageTotal>({
  onDrift,
  onProgress,
}: WalkSettings<Total>): (page: Page<Item, Total>) => void {
  const watch: DriftWatch = watchDrift(onDrift);
  let repetition: Repetition | null = null;
  let read = 0;
  return (page) => {
    repetition = trackRepetition(repetition, page);
    const drift = watch(page);
    read += page.records.length;
    const { total, number, pageCount } = page;
    onProgress({ read, total, page: number, pageCount, drift });
  };
}

function tooManyPages(page: number, maxPages: number): EndlessListError {
  return new EndlessListError(
    page,
    `maxPages is ${maxPages}, and more pages follow. Raise maxPages if the list is that long`,
  );
}

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
