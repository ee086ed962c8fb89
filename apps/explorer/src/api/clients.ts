import { createClient, type DynamicQueryClient, type TokenSource } from '@proj/client';
import { API_PATHS } from '@proj/contract';

import { session } from '../session/session.ts';
import { countsIn, withExactValues } from '../values/exact-reply.ts';

/** Where the service is: the folder that this page was loaded from. */
export const BASE_URL = new URL('.', location.href).href;

const QUERY_URL = new URL(API_PATHS.query, BASE_URL).href;

const token: TokenSource = ({ refresh }) => {
  const { value } = session;
  if (value.kind !== 'in') return '';
  return typeof value.token === 'string' ? value.token : value.token.accessToken(refresh);
};

/** Sends each request once: the query cache retries, and the page shows the wait. */
export const browseClient = createClient({
  baseUrl: BASE_URL,
  token,
  fetch: fetchExact,
  retries: 0,
});

/** The same with values as JSON has them: those of groups are shown as the SDK reads them. */
export const groupsClient = createClient({ baseUrl: BASE_URL, token, retries: 0 });

/** For work of many requests. */
const RETRYING = { retries: 5, maxRetryAfterMs: 120_000, deadlineMs: 300_000 };

/** Retries by itself, for work of many requests. */
export const retryingClient = createClient({
  baseUrl: BASE_URL,
  token,
  fetch: fetchExact,
  ...RETRYING,
});

/** The same for groups. */
export const retryingGroupsClient = createClient({ baseUrl: BASE_URL, token, ...RETRYING });

/** A client for finding out whether a token is accepted. */
export function clientFor(candidate: string): DynamicQueryClient {
  return createClient({ baseUrl: BASE_URL, token: candidate, retries: 0 });
}

async function fetchExact(request: Request): Promise<Response> {
  if (request.url !== QUERY_URL) return fetch(request);
  const counts = countsIn(await request.clone().text());
  const response = await fetch(request);
  if (!response.ok) return response;
  const { status, headers } = response;
  return new Response(exactOrSame(await response.text(), counts), { status, headers });
}

/** What is not JSON is passed on: the client reports what is wrong with it. */
function exactOrSame(body: string, counts: ReadonlySet<string>): string {
  try {
    return withExactValues(body, counts);
  } catch {
    return body;
  }
}
