import type { Comparison } from './comparison.ts';
import { COLUMNS, tableName } from './databases/database.ts';
import { withTable } from './databases/open.ts';
import { powerOfTen } from './scenarios.ts';
import { comparedRequests, type Repeated } from './subjects/requests.ts';
import { queryBody } from './subjects/server.ts';
import { withService } from './subjects/service.ts';

const CONNECTIONS = 16;

/** Two requests that are compared: the second one is what the first one is held against. */
interface RequestPair {
  readonly label: string;
  readonly requests: readonly [Repeated, Repeated];
  /** What their rates, or times, are to compare like. */
  readonly goal: string;
}

/**
 * Sends the two requests of each pair to one service in turns, and prints how the first one's rate,
 * median latency and processor time compare with those of the second one.
 */
export async function runRequests({
  databases,
  rows,
  seconds,
  print,
}: Comparison<'databases' | 'rows' | 'seconds'>): Promise<void> {
  const settings = { models: modelsOver(rows) };
  for (const name of databases) {
    await withTable(name, rows, async (database) => {
      await database.run(`create view ${viewName(rows)} as select * from ${tableName(rows)}`);
      await withService({ database, tables: [], settings }, async (service) => {
        for (const { label, goal, requests } of requestPairs(rows)) {
          const terms = { connections: CONNECTIONS, seconds, database: database.pid };
          const asked = requests.map((request) => [service, request] as const);
          const ratios = await comparedRequests(asked, terms);
          print(`${name}, ${powerOfTen(rows)} rows, ${label} (${goal}): ${ratios}`);
        }
      });
    });
  }
}

/** The name of the view over a table. */
function viewName(rows: number): string {
  return `view_of_${tableName(rows)}`;
}

/** The key of a view has to be declared. SQLite says nothing of some columns. */
function modelsOver(rows: number): Record<string, object> {
  const attributes = {
    ...Object.fromEntries(COLUMNS.map((name) => [name, {}])),
    created_at: { type: 'timestamp' },
  };
  const model = { attributes, max_page_size: 1000 };
  return { [tableName(rows)]: model, [viewName(rows)]: { ...model, key: ['id'] } };
}

/** So many records are about 50 kB. */
const LONG_PAGE = { page: 1, size: 500 };

const PAGE_SIZE = 10;
const FIRST_PAGE = { page: 1, size: PAGE_SIZE };

/** What is compared over a table with so many rows. */
function requestPairs(rows: number): readonly RequestPair[] {
  const kept: Repeated = { method: 'QUERY', body: queryBody(rows, LONG_PAGE) };
  const view = { query_model: viewName(rows) };
  return [
    {
      label: 'a 304 beside the kept reply that it saves',
      requests: [{ ...kept, holdsReply: true }, kept],
      goal: 'rate at least 1.2',
    },
    {
      label: 'page 1 of a view with query_total none beside the same page with its kept total',
      requests: [
        { body: queryBody(rows, FIRST_PAGE, { ...view, query_total: 'none' }) },
        { body: queryBody(rows, FIRST_PAGE, view) },
      ],
      goal: 'p50 at most 2',
    },
    {
      label: 'the page that holds a record beside a deep page of the same list',
      requests: [pageOfRecord(rows), deepPage(rows)],
      goal: 'p50 at most 3',
    },
  ];
}

/** Has no divisor in common with the length of a table: all numbers below that are met, in turn. */
const STRIDE = 7919;

/** Any record; no page is sent twice before all others were. */
function pageOfRecord(rows: number): Repeated {
  return {
    body: (number) => {
      const id = 1 + scattered(number, rows / PAGE_SIZE) * PAGE_SIZE + (number % PAGE_SIZE);
      return queryBody(rows, { containing: { id: String(id) }, size: PAGE_SIZE });
    },
  };
}

/** Any page of the list; most are far from both ends. */
function deepPage(rows: number): Repeated {
  return {
    body: (number) =>
      queryBody(rows, { page: 1 + scattered(number, rows / PAGE_SIZE), size: PAGE_SIZE }),
  };
}

function scattered(number: number, count: number): number {
  return (number * STRIDE) % Math.max(1, Math.floor(count));
}
