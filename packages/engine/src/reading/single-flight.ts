import { type Deadline, waitOrAbort, waitOrStop } from '../deadline.ts';
import { Callers } from '../sources/callers.ts';
import type { ReadCall } from '../sources/source.ts';

/** How long somebody waits for a shared answer, and who that is. */
type Waiting = Pick<ReadCall, 'signal' | 'deadline' | 'callers'>;

/**
 * Those who wait for an answer, as one call: its signal aborts when nobody waits any longer, and its
 * deadline is that of the last of them.
 */
export interface Waiters extends Deadline {
  readonly callers: Callers;
}

/** Finds an answer. */
type Start<Value> = (waiters: Waiters) => Promise<Value>;

/**
 * Lets equal questions share one answer: one is being answered, and those that come meanwhile share
 * the next one, which begins when that is done. So no answer began before its question was asked.
 */
export class SingleFlight<Value> {
  readonly #running = new Map<string, Flight<Value>>();
  readonly #next = new Map<string, Flight<Value>>();

  /** Whether this question is being answered, so that who asks it now shares the next answer. */
  has(key: string): boolean {
    return this.#running.has(key);
  }

  /**
   * @throws {QueryFailedError} `cancelled` when the caller disconnects and `query_timeout` at its
   *   deadline, whatever becomes of the answer
   */
  join(key: string, start: Start<Value>, waiting: Waiting): Promise<Value> {
    const running = this.#running.get(key);
    if (running !== undefined) return this.#join(key, running, { start, waiting });
    const flight = new Flight(start);
    // At the deadline of whoever asks first the work is stopped, and may still have its answer.
    const joined = flight.join(waiting, waitOrStop);
    void this.#run(key, flight);
    return joined;
  }

  #join(
    key: string,
    running: Flight<Value>,
    { start, waiting }: { start: Start<Value>; waiting: Waiting },
  ): Promise<Value> {
    const known = this.#next.get(key);
    const next = known === undefined || known.abandoned ? new Flight(start) : known;
    this.#next.set(key, next);
    // The sooner the answer before theirs is there, the sooner theirs can begin.
    if (waiting.callers !== undefined) running.callers.join(waiting.callers);
    return next.join(waiting, waitOrAbort);
  }

  async #run(key: string, flight: Flight<Value>): Promise<void> {
    this.#running.set(key, flight);
    await flight.run();
    this.#running.delete(key);
    const next = this.#next.get(key);
    this.#next.delete(key);
    if (next !== undefined && !next.abandoned) void this.#run(key, next);
  }
}

/** One answer and those who wait for it. */
class Flight<Value> {
  readonly callers = new Callers();
  readonly #start: Start<Value>;
  readonly #answer = Promise.withResolvers<Value>();
  readonly #everybodyLeft = new AbortController();
  #waiters = 0;
  #deadline = 0;

  constructor(start: Start<Value>) {
    this.#start = start;
    // Waiters who left do not hear of a failure.
    this.#answer.promise.catch(() => undefined);
  }

  get abandoned(): boolean {
    return this.#everybodyLeft.signal.aborted;
  }

  /** Never rejects: the waiters hear of a failure. */
  async run(): Promise<void> {
    const waiters = {
      signal: this.#everybodyLeft.signal,
      deadline: this.#deadline,
      callers: this.callers,
    };
    await this.#start(waiters).then(this.#answer.resolve, this.#answer.reject);
  }

  join(waiting: Waiting, wait: typeof waitOrAbort): Promise<Value> {
    const { signal, deadline, callers } = waiting;
    this.#waiters += 1;
    this.#deadline = Math.max(this.#deadline, deadline);
    if (callers !== undefined) this.callers.join(callers);
    return wait(this.#answer.promise, signal, () => {
      this.#waiters -= 1;
      if (this.#waiters === 0) this.#everybodyLeft.abort(signal.reason);
    });
  }
}
