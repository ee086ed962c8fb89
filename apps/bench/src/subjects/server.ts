import { API_PATHS } from '@proj/contract';

import { COLUMNS, tableName } from '../databases/database.ts';

/** What answers requests, in a process of its own. */
export interface Server {
  readonly origin: string;
  readonly pid: number;
  /** Undefined where none is asked for. */
  readonly token?: string;
  stop(): Promise<void>;
}

/** How one request differs from a query with the token of the server. */
export interface Asking {
  readonly method?: string;
  /** Relative to the base URL. */
  readonly path?: string;
  readonly token?: string | undefined;
}

export function urlOf({ origin }: Pick<Server, 'origin'>, path: string = API_PATHS.query): string {
  return `${origin}/${path}`;
}

export function headersOf(token: string | undefined): Record<string, string> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return { 'content-type': 'application/json', ...authorization };
}

/** A good reply. */
export interface Reply {
  readonly text: string;
  readonly headers: Headers;
}

/**
 * Sends one request.
 *
 * @throws {Error} when the reply is not good
 */
export async function ask(
  server: Pick<Server, 'origin' | 'token'>,
  body: string,
  { method = 'POST', path, token = server.token }: Asking = {},
): Promise<Reply> {
  const sent = { method, headers: headersOf(token), ...(method !== 'GET' && { body }) };
  const reply = await fetch(urlOf(server, path), sent);
  const text = await reply.text();
  if (!reply.ok) throw new Error(`answered with ${reply.status}: ${text.slice(0, 200)}`);
  return { text, headers: reply.headers };
}

/** The body of a query for all columns. */
export function queryBody(rows: number, page: object, more: object = {}): string {
  const query = { query_model: tableName(rows), query_attributes: COLUMNS, page, ...more };
  return JSON.stringify(query);
}

/** Does some work with a server, and stops it. */
export async function whileRunning<Running extends Pick<Server, 'stop'>>(
  started: Promise<Running>,
  work: (server: Running) => Promise<void>,
): Promise<void> {
  const server = await started;
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}
