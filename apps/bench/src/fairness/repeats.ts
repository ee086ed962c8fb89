// One request that a caller repeats over many connections, whose reply the service has kept.
import { API_PATHS } from '@proj/contract';

import type { Load } from '../load/load.ts';
import { startChild } from '../processes/child.ts';
import { queryBody } from '../subjects/query-body.ts';
import { COLUMNS, tableName } from '../tables/bench-database.ts';

interface Repeated {
  readonly method: 'POST' | 'QUERY' | 'GET';
  readonly path: string;
  readonly body?: string;
  /** Whether it names the entity tag of its own reply, so that it is answered with 304. */
  readonly holdsReply?: boolean;
}

const FIRST_PAGE = { page: 1, size: 10 };

/** So many values of a filter, each so long, are 40 kB together. */
const MANY_VALUES = { count: 1000, length: 37 };

/** What an unfair caller repeats, over a table with so many rows. */
export const REPEATS: Readonly<Record<string, (rows: number) => Repeated>> = {
  'small bodies': (rows) => ({
    method: 'POST',
    path: API_PATHS.query,
    body: queryBody(rows, FIRST_PAGE),
  }),
  'large bodies': (rows) => ({
    method: 'POST',
    path: API_PATHS.query,
    body: JSON.stringify({
      query_model: tableName(rows),
      query_attributes: COLUMNS,
      page: FIRST_PAGE,
      query_filter: { attribute: 'name', op: 'in', value: manyValues() },
    }),
  }),
  '304s': (rows) => ({
    method: 'QUERY',
    path: API_PATHS.query,
    body: queryBody(rows, FIRST_PAGE),
    holdsReply: true,
  }),
  catalogues: () => ({ method: 'GET', path: API_PATHS.models }),
  facets: (rows) => ({
    method: 'POST',
    path: API_PATHS.facets,
    body: JSON.stringify({
      query_model: tableName(rows),
      query_facets: [{ attribute: 'flag', values: 20 }],
    }),
  }),
};

const CONNECTIONS = 64;

/** Longer than anything is measured. */
const LOAD_SECONDS = 3600;

/**
 * Repeats a request from a process of its own.
 *
 * @returns ends the load
 */
export async function startRepeats(
  { method, path, body, holdsReply }: Repeated,
  origin: string,
  token: string,
): Promise<() => Promise<void>> {
  const url = `${origin}/${path}`;
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const headers: Record<string, string> = { authorization: `Bearer ${token}`, ...type };
  const reply = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status}: ${text}`);
  if (holdsReply === true) headers['if-none-match'] = reply.headers.get('etag') ?? '';
  const bodies = Array.from({ length: CONNECTIONS }, () => [body ?? '']);
  const load: Load = { url, method, headers, bodies, again: true, seconds: LOAD_SECONDS };
  const loader = await startChild('../load/load-process', import.meta.url, null);
  const ended = loader.ask(load).catch(() => undefined);
  return async () => {
    await loader.stop();
    await ended;
  };
}

function manyValues(): readonly string[] {
  return Array.from({ length: MANY_VALUES.count }, (_, index) =>
    String(index).padStart(MANY_VALUES.length, 'x'),
  );
}
