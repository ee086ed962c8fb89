import type { ListState, Problem } from '@proj/contract';
import { expect, onTestFinished } from 'vitest';

import { TOKEN } from './helper.ts';

const WATCH_PATH = '/api/v1/dynamic/watch';

/** An event as it came. */
export interface WatchEvent {
  readonly id?: string;
  readonly event: string;
  readonly data: ListState & Problem;
}

/** How a list is watched. */
export interface WatchOptions {
  readonly token?: string;
  readonly method?: string;
  readonly lastId?: string;
}

/** The events of a list that is watched until the end of the test. */
export interface WatchedEvents {
  readonly headers: Headers;
  /** Those that came so far. */
  readonly events: readonly WatchEvent[];
  readonly totals: () => (string | null)[];
  /** Resolves with the end of the reply. */
  readonly ended: Promise<void>;
  readonly leave: () => void;
}

/** Sends a request to watch a list. */
export async function requestWatch(
  port: number,
  body: object,
  { token = TOKEN, method = 'POST', lastId, signal }: WatchOptions & { signal?: AbortSignal } = {},
): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${WATCH_PATH}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    },
    body: JSON.stringify({ watch_every_ms: 100, ...body }),
    ...(signal && { signal }),
  });
}

/** Watches a list. */
export async function watchList(
  port: number,
  body: object,
  options: WatchOptions = {},
): Promise<WatchedEvents> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await requestWatch(port, body, { ...options, signal: leaving.signal });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream',
  ]);
  const events: WatchEvent[] = [];
  const ended = follow(response, events);
  ended.catch(() => undefined);
  return {
    headers: response.headers,
    events,
    totals: () => events.filter(({ event }) => event === 'list').map(({ data }) => data.total),
    ended,
    leave: () => leaving.abort(),
  };
}

async function follow({ body }: Response, events: WatchEvent[]): Promise<void> {
  let text = '';
  for await (const piece of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const parts = (text + piece).split('\n\n');
    text = parts.pop() ?? '';
    events.push(...parts.filter((part) => part !== ':').map(eventOf));
  }
}

function eventOf(text: string): WatchEvent {
  const lines = text.split('\n').map((line) => /^(\w+): (.*)$/.exec(line)?.slice(1) ?? []);
  const { data = '', ...rest } = Object.fromEntries(lines) as Record<string, string>;
  return { ...rest, data: JSON.parse(data) as WatchEvent['data'] } as WatchEvent;
}
