// Sends so many queries with filters that are all different and as large as they may be, and prints
// what they leave on the heap.
import { FILTER_LIMITS } from '@proj/contract';
import { EVERYTHING, openEngine } from '@proj/engine';
import { sqlite } from '@proj/sqlite';

const [path, count, memoryBytes] = process.argv.slice(2);

const { leaves, values } = FILTER_LIMITS;
const LISTED = Math.floor(values / leaves);
const ABREAST = 8;

const engine = await openEngine({
  kinds: [sqlite],
  database: `sqlite:${path}`,
  queryTimeoutMs: 60_000,
  expose: 'all',
  models: {},
  maxPageSize: 1000,
  acceleration: { memoryBytes: Number(memoryBytes) },
});

/** Filters of the largest size that look at no row: the table is empty. */
function filterOf(number: number): unknown {
  const query = (leaf: number): string[] =>
    Array.from({ length: LISTED }, (_, place) => `value ${number} ${leaf} ${place}`);
  return {
    or: Array.from({ length: leaves }, (_, leaf) => ({
      attribute: 'name',
      op: 'in',
      value: query(leaf),
    })),
  };
}

let next = 0;
async function send(): Promise<void> {
  while (next < Number(count)) {
    const query_filter = filterOf(next++);
    await engine.query(
      { query_model: 't', query_attributes: ['id'], query_filter, page: { page: 1, size: 1 } },
      EVERYTHING,
    );
  }
}

await Promise.all(Array.from({ length: ABREAST }, send));
globalThis.gc?.();
const kept = engine.statistics().reduce((sum, { bytes }) => sum + bytes, 0);
console.log(JSON.stringify({ heap: process.memoryUsage().heapUsed, kept }));
await engine.close();
