import { createParser, type EventSourceMessage } from 'eventsource-parser';

import { NetworkError } from '../errors/network-error.ts';
import { TimeoutError, type TimeLimits } from '../errors/timeout-error.ts';
import { inTime } from '../http/in-time.ts';

/** A reply of server-sent events. */
export interface EventReply {
  readonly body: ReadableStream<Uint8Array>;
  /** The address that was asked. */
  readonly url: string;
}

/**
 * The events of a reply, until it ends.
 *
 * @throws {TimeoutError} when nothing comes for `timeoutMs`, not even a comment
 * @throws {NetworkError} when the reply breaks off
 */
export async function* readEvents(
  { body, url }: EventReply,
  limits: TimeLimits,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  let events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
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
    await reader.cancel().catch(() => undefined);
  }
}
