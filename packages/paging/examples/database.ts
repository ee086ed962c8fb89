import type { DatabaseSync } from 'node:sqlite';

import { pageMetadata, pageRange, type PageRequest, type Paginated } from '@proj/paging';

/** Where others write, run both statements in one transaction: rows and total then agree. */
export function readCities(database: DatabaseSync, request: PageRequest): Paginated<unknown> {
  const total = Number(database.prepare('SELECT count(*) AS total FROM city').get()?.['total']);
  const { first, count } = pageRange(request, total);
  const rows = database.prepare('SELECT name FROM city ORDER BY name, id LIMIT ? OFFSET ?');
  const result = first === null ? [] : rows.all(count, first - 1n);
  return { result, page: pageMetadata(request, total) };
}
