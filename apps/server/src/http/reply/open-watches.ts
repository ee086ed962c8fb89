import { HttpProblem } from '../problems.ts';

/** A watch whose events are being sent. */
export interface OpenWatch {
  /** Finds out whether the caller may still watch, and ends the watch where not. */
  readonly recheck: () => void;
  /** Ends the watch, with the problem that its caller gets. */
  readonly end: (problem: HttpProblem) => void;
}

/** The watches of a process. */
export class OpenWatches {
  readonly #most: number;
  readonly #open = new Set<OpenWatch>();
  #events = 0;

  /** @param most how many may be open at once */
  constructor(most = Infinity) {
    this.#most = most;
  }

  /** How many are open now. */
  get open(): number {
    return this.#open.size;
  }

  /** How many events were sent. */
  get events(): number {
    return this.#events;
  }

  noteEvent(): void {
    this.#events += 1;
  }

  /** @throws {HttpProblem} `overloaded` when no more may be open */
  demandRoom(): void {
    if (this.#open.size >= this.#most)
      throw new HttpProblem('overloaded', 'More lists are watched than the service lets watch.');
  }

  /**
   * Adds a watch.
   *
   * @returns removes it
   */
  add(watch: OpenWatch): () => void {
    this.#open.add(watch);
    return () => void this.#open.delete(watch);
  }

  /** Finds out of all whether their callers may still watch: other settings are in force. */
  recheckAll(): void {
    for (const watch of this.#open) watch.recheck();
  }

  /** Ends all. */
  stopAll(): void {
    for (const watch of this.#open)
      watch.end(new HttpProblem('shutting_down', 'The service is stopping.'));
  }
}
