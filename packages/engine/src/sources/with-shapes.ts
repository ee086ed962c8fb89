import type { ListPage, Source, Window } from './source.ts';
import { shapeOf, WHOLE_RELATION } from './statement-costs.ts';

/**
 * A source that says of each statement which shape it has, so that slow ones keep to connections of
 * their own.
 */
export function withShapes(source: Source): Source {
  return {
    ...source,
    readPage: (list, window, patience) =>
      source.readPage(list, window, {
        ...patience,
        shape: shapeOf(`page ${list.rows.sql}`, window),
      }),
    readPages: (pages, patience) =>
      source.readPages(pages, { ...patience, shape: shapeOfPages(pages) }),
    count: (count, patience) => source.count(count, { ...patience, shape: WHOLE_RELATION }),
    readRows: (read, patience) =>
      source.readRows(read, {
        ...patience,
        shape: shapeOf(`rows ${read.statement.sql}`, read.filling),
      }),
  };
}

/** As deep as the pages are together. */
function shapeOfPages(pages: readonly ListPage[]): string {
  const window = pages.reduce<Window>(
    (sum, page) => ({ size: sum.size + page.window.size, offset: sum.offset + page.window.offset }),
    {
      size: 0,
      offset: 0n,
    },
  );
  return shapeOf(`pages ${pages[0]?.list.rows.sql}`, window);
}
