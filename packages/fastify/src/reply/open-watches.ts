import { HttpProblem } from '../endpoint/problems.ts';
import { LastingReplies } from './lasting-replies.ts';
import { Tally } from './tally.ts';
import type { WatchReply } from './watch-reply.ts';

/** Proxies close idle connections: nginx after 60 seconds. */
const HEARTBEAT_MS = 15_000;

export class OpenWatches extends LastingReplies<WatchReply> {
  readonly #most: number;
  readonly #places = new Tally();
  events = 0;
  /** One for all: there may be thousands of them. */
  #heartbeat: NodeJS.Timeout | undefined;

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

  override add(watch: WatchReply): void {
    this.#heartbeat ??= setInterval(() => {
      for (const one of this.replies) void one.beat();
    }, HEARTBEAT_MS).unref();
    super.add(watch);
  }

  override remove(watch: WatchReply): void {
    super.remove(watch);
    if (this.replies.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }
}
