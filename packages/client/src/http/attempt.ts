import { InvalidReplyError, NetworkError } from '../errors/errors.ts';
import { readLimited } from './body.ts';
import { type KeptReply, refreshed } from './kept-replies.ts';
import { type QueryMethod, refusesMethod } from './query-method.ts';
import type { Settings } from './settings.ts';

/** What ky calls for each attempt. Reads the body to its end, so that ky retries broken ones. */
export function createAttempt(
  settings: SendSettings,
): (input: string | URL | Request) => Promise<Response> {
  let { renew } = settings.token;
  const perform = async (request: Request): Promise<Response> => {
    const once = renew;
    // Sending a request uses up its body.
    const body = request.method === 'POST' ? await request.text() : null;
    const exchange = async (token: string): Promise<Response> => {
      if (body === null) return send(new Request(request), token, settings);
      const query = { request, body, token };
      return settings.streams ? sendBy('POST', query, settings) : sendQuery(query, settings);
    };
    const token = await settings.token.current();
    const response = await exchange(token);
    if (response.status !== 401 || !once) return response;
    renew = null;
    await response.body?.cancel();
    return exchange(await once(token));
  };
  return async (input) => {
    const request = new Request(input);
    // A token function or a custom `fetch` may ignore the signal.
    return Promise.race([perform(request), aborted(request.signal)]);
  };
}

interface Query {
  readonly request: Request;
  readonly body: string;
  readonly token: string;
}

async function sendQuery(query: Query, settings: SendSettings): Promise<Response> {
  const { methods } = settings;
  if (methods.current === 'QUERY') {
    const response = await sendByQuery(query, settings);
    if (response !== null) return response;
    methods.giveUpQuery();
  }
  const response = await sendBy('POST', query, settings);
  methods.noteReply(response);
  return response;
}

/** `null` where the reply to `QUERY` may have failed because of the method. */
async function sendByQuery(query: Query, settings: SendSettings): Promise<Response | null> {
  const { body, request } = query;
  const kept = settings.kept?.of(body);
  try {
    const response = await sendBy('QUERY', { ...query, kept }, settings);
    if (refusesMethod(response)) {
      await response.body?.cancel();
      return null;
    }
    if (response.status === 304 && kept !== undefined)
      return settings.kept?.keepAs(body, refreshed(kept, response)) ?? response;
    return settings.kept?.keep(body, response) ?? response;
  } catch (error) {
    if (!(error instanceof NetworkError) || request.signal.aborted) throw error;
    return null;
  }
}

async function sendBy(
  method: QueryMethod,
  { request, body, token, kept }: Query & { readonly kept?: KeptReply | undefined },
  settings: SendSettings,
): Promise<Response> {
  const { url, headers, redirect, signal } = request;
  const copy = new Request(url, { method, headers, body, redirect, signal });
  if (kept !== undefined) copy.headers.set('if-none-match', kept.tag);
  return send(copy, token, settings);
}

async function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

export interface SendSettings extends Settings {
  /** Leaves the body to be read, however long it is. Default: false. */
  readonly streams?: boolean;
}

/**
 * Sends one request. The token is added only here: errors of ky contain the request, and so never
 * the token.
 *
 * @throws {NetworkError} when no complete reply arrives.
 * @throws {InvalidReplyError} when the reply is too long.
 */
async function send(
  request: Request,
  token: string,
  { fetch, maxReplyBytes, streams }: SendSettings,
): Promise<Response> {
  request.headers.set('authorization', `Bearer ${token}`);
  try {
    const response = await fetch(request);
    // Ky reads the body of an error, up to a limit.
    return response.ok && response.body && !streams
      ? new Response(await readLimited(response.body, maxReplyBytes), response)
      : response;
  } catch (cause) {
    if (cause instanceof InvalidReplyError) throw cause;
    throw new NetworkError(request.url, { cause });
  }
}
