import {
  API_PATHS,
  type ListState,
  listStateSchema,
  problemSchema,
  WATCH_EVENTS,
  WATCH_TYPE,
  type WatchBody,
} from '@proj/contract';
import { createParser, type EventSourceMessage } from 'eventsource-parser';

import { NetworkError, ProblemError, type TimeLimits, TimeoutError } from '../errors/errors.ts';
import { inTime, parseJson, readBody, readBodyUntil } from '../http/body.ts';
import { leavable } from '../http/leavable.ts';
import { PASSING_STATUSES } from '../http/retry-policy.ts';
import type { Settings } from '../http/settings.ts';
import type { StreamTransport } from '../http/transport.ts';
import type { PageTotal } from '../options/query.ts';

export interface WatchedState<Total extends PageTotal = bigint> {
  /** `null` where it was not asked for, or passes its limit. */
  readonly total: Total;
  /** One more than the `upTo` of `total`, where the list has more; else `null`. */
  readonly totalAtLeast: bigint | null;
  /** Opaque, as in `Page`; `null` for tokens that do not see it. */
  readonly dataVersion: string | null;
  /**
   * Polling interval of the service, in milliseconds; `null` where the database reports changes.
   */
  readonly checkedEveryMs: number | null;
}

export interface WatchParts {
  readonly transport: StreamTransport;
  readonly settings: Pick<Settings, 'timeoutMs' | 'deadlineMs'>;
}

export interface Watch {
  readonly body: WatchBody;
  readonly signal: AbortSignal | undefined;
}

/** Limits of the wait before reconnecting, in milliseconds. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A comment comes at least every 15 seconds, so that a shorter silence says nothing. */
const SHORTEST_SILENCE_MS = 30_000;

export function watchList(
  parts: WatchParts,
  { body, signal }: Watch,
): AsyncIterable<WatchedState<PageTotal>> {
  const left = new AbortController();
  const ended = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
  return leavable(resumedStates(parts, { body, signal: ended }), () => left.abort());
}

/** Resumes a watch that breaks off, after a random wait; not one that never began. */
async function* resumedStates(
  parts: WatchParts,
  { body, signal }: Watch,
): AsyncGenerator<WatchedState<PageTotal>, void, undefined> {
  let lastId: string | undefined;
  let isTaken = false;
  let failures = 0;
  const begin = (): void => {
    isTaken = true;
  };
  for (;;) {
    let waitMs = 0;
    const begunAt = performance.now();
    try {
      for await (const { id, state } of states(parts, { body, signal }, { lastId, begin })) {
        lastId = id;
        failures = 0;
        yield state;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isTaken || !isPassing(error)) throw error;
      waitMs = (error instanceof ProblemError ? error.retryAfterMs : null) ?? 0;
    }
    // What has lasted longer was no attempt in vain, even if the list has not changed.
    if (performance.now() - begunAt > LONGEST_WAIT_MS) failures = 0;
    await pause(Math.max(waitMs, waitAfter(failures++)), signal);
  }
}

interface StateEvent {
  readonly id: string | undefined;
  readonly state: WatchedState<PageTotal>;
}

async function* states(
  { transport, settings }: WatchParts,
  { body, signal }: Watch,
  { lastId, begin }: { readonly lastId: string | undefined; readonly begin: () => void },
): AsyncGenerator<StateEvent, void, undefined> {
  const headers = { accept: WATCH_TYPE, ...(lastId !== undefined && { 'last-event-id': lastId }) };
  const reply = await transport({ path: API_PATHS.watch, body, headers, signal });
  begin();
  const { body: bytes, url } = reply;
  if (bytes === null) return;
  const silence = { ...settings, timeoutMs: Math.max(settings.timeoutMs, SHORTEST_SILENCE_MS) };
  for await (const { event, id, data } of readEvents({ body: bytes, url, signal }, silence)) {
    if (event === WATCH_EVENTS.problem) throw problemOf(data);
    if (event === WATCH_EVENTS.list) yield { id, state: stateOf(data) };
  }
}

const parseEvent = (data: string): unknown => parseJson(data, { within: ' in each event' });

function stateOf(data: string): WatchedState<PageTotal> {
  const state: ListState = readBody(listStateSchema, parseEvent(data));
  const { total, total_at_least: atLeast, version, checked_every_ms: everyMs } = state;
  return {
    total: total === null ? null : BigInt(total),
    totalAtLeast: atLeast === undefined ? null : BigInt(atLeast),
    dataVersion: version ?? null,
    checkedEveryMs: everyMs ?? null,
  };
}

function problemOf(data: string): ProblemError {
  const problem = readBody(problemSchema, parseEvent(data));
  const { status, request_id: requestId } = problem;
  return new ProblemError({ status, problem, requestId, retryAfterMs: null });
}

function isPassing(error: unknown): boolean {
  if (error instanceof ProblemError) return PASSING_STATUSES.includes(error.status);
  return error instanceof NetworkError || error instanceof TimeoutError;
}

/** Doubles after each attempt in vain, with random jitter of half. */
function waitAfter(failures: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures) * (0.5 + Math.random() / 2);
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(end, milliseconds);
  const leave = (): void => {
    clearTimeout(timer);
    reject(signal?.reason as Error);
  };
  function end(): void {
    signal?.removeEventListener('abort', leave);
    resolve();
  }
  signal?.addEventListener('abort', leave, { once: true });
  if (signal?.aborted === true) leave();
  return promise;
}

export interface EventReply {
  readonly body: ReadableStream<Uint8Array>;
  readonly url: string;
  /** Ends the reply; its reason is thrown. */
  readonly signal: AbortSignal | undefined;
}

/**
 * @throws {TimeoutError} when nothing comes for so long, not even a comment
 * @throws {NetworkError} when the reply breaks off
 */
async function* readEvents(
  { body, url, signal }: EventReply,
  limits: TimeLimits,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  let events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  const decoder = new TextDecoder();
  const bytes = readBodyUntil(body, signal);
  try {
    for (;;) {
      const piece = await inTime(bytes.read(), url, limits);
      if (piece === undefined) return;
      parser.feed(decoder.decode(piece, { stream: true }));
      yield* events;
      events = [];
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw cause instanceof TimeoutError ? cause : new NetworkError(url, { cause });
  } finally {
    await bytes.close();
  }
}
