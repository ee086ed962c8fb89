import { createParser, type EventSourceMessage } from 'eventsource-parser';

import { NetworkError } from '../errors/network-error.ts';
import { TimeoutError, type TimeLimits } from '../errors/timeout-error.ts';
import { inTime } from '../http/in-time.ts';

/** A reply of server-sent events. */
export interface EventReply {
  readonly body: ReadableStream<Uint8Array>;
  /** The address that was asked. */
  readonly url: string;
  /** Ends the reply. */
  readonly signal: AbortSignal | undefined;
}

/**
 * The events of a reply, until it ends, or its signal ends it.
 *
 * @throws {TimeoutError} when nothing comes for `timeoutMs`, not even a comment
 * @throws {NetworkError} when the reply breaks off
 */
export async function* readEvents(
  { body, url, signal }: EventReply,
  limits: TimeLimits,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  let events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  const leave = (): void => void reader.cancel().catch(() => undefined);
  // Node forgets the signal of a request whose memory it has freed.
  signal?.addEventListener('abort', leave, { once: true });
  if (signal?.aborted === true) leave();
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), url, limits);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* events;
      events = [];
    }
  } catch (cause) {
    throw cause instanceof TimeoutError ? cause : new NetworkError(url, { cause });
  } finally {
    signal?.removeEventListener('abort', leave);
    await reader.cancel().catch(() => undefined);
  }
}
