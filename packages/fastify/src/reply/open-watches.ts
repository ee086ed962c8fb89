import { HttpProblem } from '../endpoint/problems.ts';
import { Tally } from './tally.ts';

export interface OpenWatch {
  /** Ends the watch if its caller may no longer watch. */
  readonly recheck: () => void;
  /** Rechecks, and keeps the connection alive. */
  readonly beat: () => unknown;
  readonly end: (problem: HttpProblem) => void;
}

/** Proxies close idle connections: nginx after 60 seconds. */
const HEARTBEAT_MS = 15_000;

export class OpenWatches {
  readonly #most: number;
  readonly #open = new Set<OpenWatch>();
  readonly #places = new Tally();
  #events = 0;
  #isStopping = false;
  /** One for all: there may be thousands of them. */
  #heartbeat: NodeJS.Timeout | undefined;

  /** @param most how many may be open at once */
  constructor(most = Infinity) {
    this.#most = most;
  }

  get open(): number {
    return this.#open.size;
  }

  get events(): number {
    return this.#events;
  }

  noteEvent(): void {
    this.#events += 1;
  }

  /**
   * Takes a place for a caller, from before a watch opens until it has ended. A caller leaves the
   * last one to others.
   *
   * @returns gives it back; call it once
   * @throws {HttpProblem} `overloaded` when none is left, `rate_limited` when only the last one is
   *   left to the caller
   */
  takePlace(caller: string): () => void {
    if (this.#places.total >= this.#most)
      throw new HttpProblem('overloaded', 'More lists are watched than the service lets watch.');
    if (this.#places.of(caller) >= Math.max(1, this.#most - 1))
      throw new HttpProblem('rate_limited', 'The token watches all lists but one that may be.', {
        headers: { 'retry-after': '1' },
      });
    return this.#places.add(caller);
  }

  /** @returns removes the watch */
  add(watch: OpenWatch): () => void {
    this.#open.add(watch);
    this.#heartbeat ??= setInterval(() => this.#beatAll(), HEARTBEAT_MS).unref();
    if (this.#isStopping) stop(watch);
    return () => this.#remove(watch);
  }

  /** Rechecks all callers, after settings changed. */
  recheckAll(): void {
    for (const watch of this.#open) watch.recheck();
  }

  /** Ends all watches, and each that is opened from now on. */
  stopAll(): void {
    this.#isStopping = true;
    for (const watch of this.#open) stop(watch);
  }

  #beatAll(): void {
    for (const watch of this.#open) watch.beat();
  }

  #remove(watch: OpenWatch): void {
    this.#open.delete(watch);
    if (this.#open.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }
}

function stop(watch: OpenWatch): void {
  watch.end(new HttpProblem('shutting_down', 'The service is stopping.'));
}
