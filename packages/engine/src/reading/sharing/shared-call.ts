import { Callers } from '../../sources/callers.ts';
import type { ReadCall } from '../../sources/source.ts';

/**
 * The call of one read that several calls wait for. It gets a connection when it is the turn of any
 * of their callers, its deadline is the latest of theirs, and it is stopped when none of them waits
 * any longer.
 */
export class SharedCall {
  readonly #callers = new Callers();
  readonly #stop = new AbortController();
  #waiting = 0;
  #deadline = 0;

  /** Whether everybody who waited has stopped waiting. */
  get isAbandoned(): boolean {
    return this.#stop.signal.aborted;
  }

  /** The call of the read that begins now. Callers who are added later join it. */
  get call(): ReadCall {
    return { callers: this.#callers, signal: this.#stop.signal, deadline: this.#deadline };
  }

  /** Adds somebody who waits for the read. */
  add(call: ReadCall): void {
    this.#waiting += 1;
    this.#deadline = Math.max(this.#deadline, call.deadline);
    this.addCallers(call);
  }

  /**
   * Also gives this read the turns of callers who wait for the next one, which begins when this one
   * is done.
   */
  addCallers({ callers = new Callers(undefined) }: ReadCall): void {
    this.#callers.join(callers);
  }

  /** Removes somebody who has stopped waiting, for this reason. */
  remove(reason: unknown): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#stop.abort(reason);
  }
}
