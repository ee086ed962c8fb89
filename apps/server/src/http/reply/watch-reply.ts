import type { Readable } from 'node:stream';

import { WATCH_EVENTS } from '@proj/contract';
import type { ListWatch, WatchedState } from '@proj/engine';

import type { HttpProblem } from '../problems.ts';
import type { LastingAccess } from './lasting-access.ts';
import type { OpenWatch } from './open-watches.ts';
import { TextStream } from './text-stream.ts';

/** Beyond so many bytes that wait, events are left out until the caller reads. */
const MOST_WAITING = 1024;

/** Proxies close a connection on which nothing comes for so long: nginx after 60 seconds. */
const HEARTBEAT_MS = 15_000;

/** A line that readers of events leave out. */
const COMMENT = Buffer.from(':\n\n');

/** What is sent of a watch. */
export interface WatchReplyParts {
  /** The last event that the caller has, by its id; undefined where it has none. */
  readonly lastId: string | undefined;
  /** Says whether the caller may still watch. */
  readonly access: Pick<LastingAccess, 'isSame' | 'forget'>;
  /** The problem behind an error. */
  readonly explain: (error: unknown) => HttpProblem;
  readonly requestId: string;
  readonly onEvent: () => void;
}

/** The events of a watched list (https://html.spec.whatwg.org/#server-sent-events). */
export class WatchReply implements OpenWatch {
  readonly #parts: WatchReplyParts;
  readonly #stream = new TextStream({ highWaterMark: MOST_WAITING });
  readonly #heartbeat: NodeJS.Timeout;
  #room: Promise<void> | undefined;
  #hasEnded = false;

  constructor(parts: WatchReplyParts) {
    this.#parts = parts;
    this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT_MS).unref();
    // The headers are out before the first event, which may be long in coming.
    this.#add(COMMENT);
  }

  get body(): Readable {
    return this.#stream;
  }

  /** Sends the states as they come, and ends with them. */
  async follow(watch: ListWatch): Promise<void> {
    let { lastId } = this.#parts;
    try {
      for await (const state of watch.states()) {
        const isSame = this.#parts.access.isSame();
        if (this.#hasEnded || (isSame !== true && !(await isSame))) break;
        if (state.id !== lastId) this.#send(state);
        if (this.#room !== undefined) await this.#room;
        lastId = undefined;
      }
      this.end();
    } catch (error) {
      this.end(this.#parts.explain(error));
    }
  }

  /** Ends the events where the caller may no longer see the same, and has to ask again. */
  recheck(): void {
    this.#parts.access.forget();
    void this.#beat();
  }

  /** Ends the events. A caller who does not read is cut off. */
  end(problem?: HttpProblem): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearInterval(this.#heartbeat);
    if (this.#room !== undefined) {
      this.#stream.destroy();
      return;
    }
    const { requestId } = this.#parts;
    if (problem !== undefined)
      this.#stream.push(event(WATCH_EVENTS.problem, problem.toDocument(requestId)));
    this.#stream.finish();
  }

  #send(state: WatchedState): void {
    this.#parts.onEvent();
    this.#add(eventOf(state));
  }

  async #beat(): Promise<void> {
    try {
      if (!(await this.#parts.access.isSame())) this.end();
      else if (this.#room === undefined) this.#add(COMMENT);
    } catch (error) {
      this.end(this.#parts.explain(error));
    }
  }

  #add(bytes: Buffer): void {
    if (this.#hasEnded) return;
    const taken = this.#stream.add(bytes);
    this.#room = taken && this.#untilTaken(taken);
  }

  async #untilTaken(taken: Promise<void>): Promise<void> {
    await taken;
    this.#room = undefined;
  }
}

/** All who watch a list get the same events. */
const events = new WeakMap<WatchedState, Buffer>();

function eventOf(state: WatchedState): Buffer {
  const known = events.get(state);
  if (known !== undefined) return known;
  const bytes = Buffer.from(`id: ${state.id}\n${event(WATCH_EVENTS.list, state.list)}`);
  events.set(state, bytes);
  return bytes;
}

function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
