import type { Readable } from 'node:stream';

import { WATCH_EVENTS } from '@proj/contract';
import type { ListWatch, WatchedState } from '@proj/engine';

import type { Ask } from '../endpoint/ask.ts';
import { noteFailure } from '../endpoint/problem-answer.ts';
import { HttpProblem } from '../endpoint/problems.ts';
import { EventBytes, EventStream } from './event-stream.ts';
import { LastingReplies, type LastingReply } from './lasting-replies.ts';
import { Tally } from './tally.ts';

export class OpenWatches extends LastingReplies<WatchReply> {
  /** Proxies close idle connections: nginx after 60 seconds. */
  protected override readonly beatMs = 15_000;
  readonly #most: number;
  readonly #places = new Tally();
  events = 0;

  constructor(most = Infinity) {
    super();
    this.#most = most;
  }

  /** Before a watch opens. A caller leaves the last place to others. @returns gives it back */
  takePlace(caller: string): () => void {
    if (this.#places.total >= this.#most)
      throw new HttpProblem('overloaded', 'More lists are watched than the service lets watch.');
    if (this.#places.of(caller) >= Math.max(1, this.#most - 1))
      throw new HttpProblem('rate_limited', 'The token watches all lists but one that may be.', {
        headers: { 'retry-after': '1' },
      });
    return this.#places.add(caller);
  }
}

/** A line that readers of events skip. */
const COMMENT = new EventBytes(':\n\n');

interface WatchReplyParts extends Pick<LastingReply, 'access'> {
  readonly ask: Ask;
  readonly watches: OpenWatches;
  readonly publicUrl: string | undefined;
}

/** Server-sent events of a watched list (https://html.spec.whatwg.org/#server-sent-events). */
export class WatchReply implements LastingReply {
  readonly access: LastingReply['access'];
  readonly #parts: WatchReplyParts;
  readonly #stream: EventStream;
  readonly body: Readable;
  #room: Promise<void> | undefined;
  readonly #ending = new AbortController();
  /** Aborts when it ends, for whatever reason. */
  readonly signal: AbortSignal = this.#ending.signal;

  constructor(parts: WatchReplyParts) {
    this.#parts = parts;
    this.access = parts.access;
    this.#stream = new EventStream(parts.ask.response);
    this.body = this.#stream;
    // Sends the headers before the first event, which may take long.
    this.#add(COMMENT);
    parts.ask.releaseAtEnd(() => this.end());
  }

  /** @param watch ends with the signal */
  async follow(watch: ListWatch): Promise<void> {
    let lastId = this.#parts.ask.header('last-event-id');
    const send = (state: WatchedState): boolean | Promise<boolean> => {
      if (state.id !== lastId) this.#send(state);
      lastId = undefined;
      return this.#room === undefined || this.#room.then(() => true);
    };
    try {
      await watch.follow((state) => {
        const isSame = this.access.isSame();
        return isSame === true ? send(state) : isSame.then((still) => still && send(state));
      });
      this.end();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Sends a comment, unless the caller has to ask again. */
  async beat(): Promise<void> {
    try {
      if (!(await this.access.isSame())) this.end();
      else if (this.#room === undefined) this.#add(COMMENT);
    } catch (error) {
      this.#fail(error);
    }
  }

  stop(): void {
    this.end(new HttpProblem('shutting_down', 'The service is stopping.'));
  }

  /** Cuts off a caller who does not read. */
  end(problem?: HttpProblem): void {
    if (this.signal.aborted) return;
    this.#ending.abort();
    if (this.#room !== undefined) {
      this.#stream.destroy();
      return;
    }
    const { ask, publicUrl } = this.#parts;
    if (problem !== undefined)
      this.#stream.push(event(WATCH_EVENTS.problem, problem.toDocument(ask.id, publicUrl)));
    this.#stream.finish();
  }

  #fail(error: unknown): void {
    const { ask } = this.#parts;
    const problem = noteFailure(error, ask, 'the watch ended');
    ask.problem = problem.code;
    this.end(problem);
  }

  #send(state: WatchedState): void {
    this.#parts.watches.events += 1;
    this.#add(eventOf(state));
  }

  #add(bytes: EventBytes): void {
    if (this.signal.aborted) return;
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
