import { EVERYTHING, openEngine } from '@proj/engine';

import { DATABASE_KINDS } from '../kinds.ts';

/**
 * Opens an engine on the database of the first argument, reads pages without end and says so after
 * the first.
 */

const [database = ''] = process.argv.slice(2);
const engine = await openEngine({
  kinds: DATABASE_KINDS,
  database,
  queryTimeoutMs: 10_000,
  expose: 'all',
  models: {},
  maxPageSize: 10,
});
for (let page = 1; ; page++) {
  await engine.query(
    { query_model: 'typed', query_attributes: ['double', 'span'], page: { page, size: 1 } },
    EVERYTHING,
  );
  if (page === 2) process.send?.('reading');
}
