import type { QueryPage, Source } from './source.ts';
import type { PageRange } from '../sql/query-statements.ts';
import { shapeOf, WHOLE_RELATION } from './statement-costs.ts';

/**
 * A source that says of each statement which shape it has, so that slow ones keep to connections of
 * their own.
 */
export function withShapes(source: Source): Source {
  return {
    ...source,
    readPage: (query, range, call) =>
      source.readPage(query, range, {
        ...call,
        shape: shapeOf(`page ${query.rows.sql}`, range),
      }),
    readBatch: (pages, call) => source.readBatch(pages, { ...call, shape: shapeOfPages(pages) }),
    count: (count, call) => source.count(count, { ...call, shape: WHOLE_RELATION }),
    readRows: (read, call) =>
      source.readRows(read, {
        ...call,
        shape: shapeOf(`rows ${read.statement.sql}`, read.bindings),
      }),
  };
}

/** As deep as the pages are together. */
function shapeOfPages(pages: readonly QueryPage[]): string {
  const range = pages.reduce<PageRange>(
    (sum, page) => ({ size: sum.size + page.range.size, offset: sum.offset + page.range.offset }),
    {
      size: 0,
      offset: 0n,
    },
  );
  return shapeOf(`pages ${pages[0]?.query.rows.sql}`, range);
}
