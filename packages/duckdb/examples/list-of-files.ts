import { EVERYTHING, openEngine } from '@proj/engine';
import { duckdbWith } from '@proj/duckdb';

const engine = await openEngine({
  database: 'duckdb:',
  kinds: [duckdbWith({ files: { trips: { files: `${process.argv[2]}/*.parquet` } } })],
  queryTimeoutMs: 10_000,
  maxPageSize: 1000,
  expose: 'listed',
  models: { trips: { key: ['id'] } },
});

const request = { query_model: 'trips', query_attributes: ['id'], page: { page: 1, size: 2 } };
const { result, page } = await engine.query(request, EVERYTHING);
console.log(result);
console.log(page);

await engine.close();
