import { EVERYTHING, openEngine } from '@proj/engine';
import { sqlite } from '@proj/sqlite';

const engine = await openEngine({
  database: `sqlite:${process.argv[2]}`,
  kinds: [sqlite],
  queryTimeoutMs: 10_000,
  maxPageSize: 1000,
  expose: 'all',
  models: {},
});

const request = {
  query_model: 'cities',
  query_attributes: ['name', 'population'],
  page: { page: 1, size: 2 },
};
const { result, page } = await engine.query(request, EVERYTHING);
console.log(result);
console.log(page);

await engine.close();
