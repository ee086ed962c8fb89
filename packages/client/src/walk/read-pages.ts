import { type AnyListQuery, readList } from '../options/list-query.ts';
import { readWalkOptions, type WalkOptions } from '../options/walk-options.ts';
import type { PageTotal } from '../options/total.ts';
import type { ReadModel } from '../query/catalogue.ts';
import type { ReadQuery } from '../query/read-query.ts';
import { walkByKey } from './key-walk.ts';
import { readPage, type Page } from './page.ts';
import { readAhead } from './read-ahead.ts';
import { walkPages } from './walk.ts';

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
