import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { type QueryRequest, readWatchRequest, WATCH_TYPE } from '@proj/contract';

import { type Answer, problem, refused } from './answer.ts';
import { answerQuery, type QuerySlips } from './answer-query.ts';
import type { Model } from './cities.ts';

/** Looks again as a service does: nothing says that the list has changed, and no test waits for it. */
const LOOK_MS = 20;

interface WatchParts {
  readonly model: Model;
  readonly accept: string;
  readonly lastId: string | undefined;
  readonly slips: QuerySlips;
}

/** Answers the body of a watch with events, which go on until the caller leaves. */
export function answerWatch(body: unknown, { model, accept, lastId, slips }: WatchParts): Answer {
  if (!/^(?:\*\/\*|text\/event-stream)/.test(accept)) return problem('not_acceptable');
  const reading = readWatchRequest(body);
  if (!reading.ok) return refused(reading.errors);
  const { watch_every_ms: _every, ...list } = reading.request;
  const ask = (): Answer => answerQuery({ ...list, page: { page: 1, size: 300 } }, model, slips);
  const first = ask();
  if (first.status !== 200) return first;
  const headers = { 'content-type': WATCH_TYPE, 'cache-control': 'private, no-cache' };
  return { status: 200, headers, body: events(list, ask, lastId) };
}

/** An event whenever the list is another one; else comments, so that an end is noticed. */
async function* events(
  list: Omit<QueryRequest, 'page'>,
  ask: () => Answer,
  lastId: string | undefined,
): AsyncGenerator<string> {
  for (let sent = lastId; ; await sleep(LOOK_MS)) {
    const answered = ask();
    const id = hashOf([list, stateOf(answered), recordTexts(answered)]);
    if (id === sent) yield ':\n\n';
    else yield `id: ${id}\nevent: list\ndata: ${JSON.stringify(stateOf(answered))}\n\n`;
    sent = id;
  }
}

/** In an order of their own: that of equal records may be any. */
function recordTexts({ body }: Answer): string[] {
  const { result } = body as { readonly result: readonly object[] };
  return result.map((record) => JSON.stringify(record)).toSorted();
}

/** Without a version, as the replies of pages have none. */
function stateOf({ body }: Answer): object {
  const { page } = body as { readonly page: { total: unknown; total_at_least?: unknown } };
  const { total, total_at_least: atLeast } = page;
  return { total, ...(atLeast !== undefined && { total_at_least: atLeast }) };
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
