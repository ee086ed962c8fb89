import { setTimeout as delay } from 'node:timers/promises';

import { parseJson } from './json.ts';

/**
 * One request, as plain as it can be: what the SDK would change or refuse has to reach the server.
 */
export interface Call {
  /** @default 'GET' without a body, else 'POST' */
  readonly method?: string;
  /** Relative to the base URL, without a slash at the start. */
  readonly path: string;
  /** `null` leaves out a header that is sent otherwise: `authorization`, `content-type`. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string | Uint8Array;
  /** Of a reply that need not end: reading does with text that shows this, or after a time. */
  readonly until?: { readonly shows: RegExp; readonly ms: number };
}

/** What came back. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined when the text is not JSON. */
  readonly json: unknown;
}

/** Sends a request and reads the whole reply. */
export type Send = (call: Call) => Promise<Reply>;

interface SendOptions {
  readonly url: string;
  readonly token: string;
  readonly signal: AbortSignal;
  /** @default that of the process */
  readonly fetch?: typeof globalThis.fetch;
}

const TIMEOUT_MS = 30_000;
const MOST_WAITS = 5;
const LONGEST_WAIT_S = 60;

/**
 * Requests with the token and a JSON body, unless the call says otherwise. A rate limit is waited
 * for: it is no error.
 */
export function createSend({ url, token, signal, fetch = globalThis.fetch }: SendOptions): Send {
  const base = url.replace(/\/*$/, '/');
  const sendOnce = async (call: Call): Promise<Reply> => {
    const { path, body, until, method = body === undefined ? 'GET' : 'POST' } = call;
    const response = await fetch(new URL(path, base), {
      method,
      headers: headersOf(call, token),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      // As bytes: of a text fetch would set the content type by itself.
      ...(body !== undefined && { body: new Uint8Array(Buffer.from(body)) }),
    });
    const text = await (until ? readUntil(response, until) : response.text());
    return { status: response.status, headers: response.headers, text, json: parseJson(text) };
  };
  return async (call) => {
    for (let waits = 0; ; waits++) {
      const reply = await sendOnce(call);
      const seconds = Number(reply.headers.get('retry-after') ?? Number.NaN);
      if (reply.status !== 429 || waits === MOST_WAITS || !(seconds <= LONGEST_WAIT_S))
        return reply;
      await delay(seconds * 1000, undefined, { signal });
    }
  };
}

/** What has come of a reply by the end that was asked for. */
async function readUntil(
  { body }: Response,
  { shows, ms }: NonNullable<Call['until']>,
): Promise<string> {
  if (body === null) return '';
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const late = delay(ms, { done: true, value: undefined } as const, { ref: false });
  let text = '';
  while (!shows.test(text)) {
    const { done, value } = await Promise.race([reader.read(), late]);
    if (done) break;
    text += value;
  }
  await reader.cancel();
  return text;
}

function headersOf({ headers = {}, body }: Call, token: string): Headers {
  const standard = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const all: [string, string | null][] = Object.entries({ ...standard, ...headers });
  return new Headers(all.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

/** The words of a header, in small letters. */
export function headerWords({ headers }: Reply, name: string): readonly string[] {
  return (headers.get(name) ?? '').toLowerCase().split(/\s*,\s*/);
}
