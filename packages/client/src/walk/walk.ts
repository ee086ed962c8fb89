import { EndlessListError } from '../errors/endless-list-error.ts';
import type { RequestOptions } from '../options/request-options.ts';
import type { PageTotal } from '../options/total.ts';
import type { WalkSettings } from '../options/walk-options.ts';
import { watchDrift, type DriftWatch } from './drift.ts';
import type { Page } from './page.ts';
import { trackRepetition, type Repetition } from './repetition.ts';

export interface WalkStart<Item, Total extends PageTotal> {
  /** In order; its requests take the signal. */
  readonly pages: (signal: AbortSignal) => AsyncIterable<Page<Item, Total>>;
  readonly maxPages: number;
}

/** Each iteration reads anew, and aborts pending requests when it ends early. */
export function walkPages<Item, Total extends PageTotal>(
  { pages, maxPages }: WalkStart<Item, Total>,
  settings: WalkSettings<Total>,
): AsyncIterable<Page<Item, Total>> {
  return {
    async *[Symbol.asyncIterator]() {
      const ended = new AbortController();
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
    },
  };
}

export function walkRecords<Item>(
  pages: AsyncIterable<Page<Item, PageTotal>>,
  { signal }: RequestOptions,
): AsyncIterable<Item> {
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
