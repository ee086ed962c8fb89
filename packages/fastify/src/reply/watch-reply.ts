import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

import { WATCH_EVENTS } from '@proj/contract';
import type { ListWatch, WatchedState } from '@proj/engine';

import { HttpProblem } from '../endpoint/problems.ts';
import { EventBytes, EventStream } from './event-stream.ts';
import type { LastingAccess } from './lasting-access.ts';

/** A line that readers of events skip. */
const COMMENT = new EventBytes(':\n\n');

export interface WatchReplyParts {
  readonly lastId: string | undefined;
  readonly access: Pick<LastingAccess, 'isSame' | 'forget'>;
  readonly explain: (error: unknown) => HttpProblem;
  readonly requestId: string;
  readonly publicUrl?: string | undefined;
  readonly onEvent: () => void;
  readonly response?: ServerResponse | undefined;
}

/** Server-sent events of a watched list (https://html.spec.whatwg.org/#server-sent-events). */
export class WatchReply {
  readonly #parts: WatchReplyParts;
  readonly #stream: EventStream;
  readonly body: Readable;
  #room: Promise<void> | undefined;
  #hasEnded = false;

  constructor(parts: WatchReplyParts) {
    this.#parts = parts;
    this.#stream = new EventStream(parts.response);
    this.body = this.#stream;
    // Sends the headers before the first event, which may take long.
    this.#add(COMMENT);
  }

  async follow(watch: ListWatch): Promise<void> {
    let { lastId } = this.#parts;
    const send = (state: WatchedState): boolean | Promise<boolean> => {
      if (state.id !== lastId) this.#send(state);
      lastId = undefined;
      return this.#room === undefined || this.#room.then(() => true);
    };
    try {
      await watch.follow((state) => {
        // After the end nobody waits for the answer.
        if (this.#hasEnded) return false;
        const isSame = this.#parts.access.isSame();
        return isSame === true ? send(state) : isSame.then((still) => still && send(state));
      });
      this.end();
    } catch (error) {
      this.end(this.#parts.explain(error));
    }
  }

  /** Ends the events if the caller may no longer see the same, and has to ask again. */
  recheck(): void {
    this.#parts.access.forget();
    void this.beat();
  }

  /** Sends a comment, or ends the events as {@link recheck} does. */
  async beat(): Promise<void> {
    try {
      if (!(await this.#parts.access.isSame())) this.end();
      else if (this.#room === undefined) this.#add(COMMENT);
    } catch (error) {
      this.end(this.#parts.explain(error));
    }
  }

  stop(): void {
    this.end(new HttpProblem('shutting_down', 'The service is stopping.'));
  }

  /** Cuts off a caller who does not read. */
  end(problem?: HttpProblem): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#room !== undefined) {
      this.#stream.destroy();
      return;
    }
    const { requestId, publicUrl } = this.#parts;
    if (problem !== undefined)
      this.#stream.push(event(WATCH_EVENTS.problem, problem.toDocument(requestId, publicUrl)));
    this.#stream.finish();
  }

  #send(state: WatchedState): void {
    this.#parts.onEvent();
    this.#add(eventOf(state));
  }

  #add(bytes: EventBytes): void {
    if (this.#hasEnded) return;
    const taken = this.#stream.send(bytes);
    this.#room = taken && this.#untilTaken(taken);
  }

  async #untilTaken(taken: Promise<void>): Promise<void> {
    await taken;
    this.#room = undefined;
  }
}

/** All who watch a list get the same events. */
const events = new WeakMap<WatchedState, EventBytes>();

function eventOf(state: WatchedState): EventBytes {
  const known = events.get(state);
  if (known !== undefined) return known;
  const bytes = new EventBytes(`id: ${state.id}\n${event(WATCH_EVENTS.list, state.list)}`);
  events.set(state, bytes);
  return bytes;
}

function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
