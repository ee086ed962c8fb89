import { createParser, type EventSourceMessage } from 'eventsource-parser';

import { NetworkError } from '../errors/network-error.ts';
import { TimeoutError, type TimeLimits } from '../errors/timeout-error.ts';
import { readBodyUntil } from '../http/body-reader.ts';
import { inTime } from '../http/in-time.ts';

export interface EventReply {
  readonly body: ReadableStream<Uint8Array>;
  readonly url: string;
  /** Ends the reply; its reason is thrown. */
  readonly signal: AbortSignal | undefined;
}

/**
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
