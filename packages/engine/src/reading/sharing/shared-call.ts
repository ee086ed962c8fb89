import { Callers } from '../../sources/callers.ts';
import type { ReadCall } from '../../sources/source.ts';

/** Its turn is the first of its callers', its deadline the latest; it stops when nobody waits. */
export class SharedCall {
  readonly #callers = new Callers();
  readonly #stop = new AbortController();
  #waiting = 0;
  #deadline = 0;

  get isAbandoned(): boolean {
    return this.#stop.signal.aborted;
  }

  get call(): ReadCall {
    return { callers: this.#callers, signal: this.#stop.signal, deadline: this.#deadline };
  }

  add(call: ReadCall): void {
    this.#waiting += 1;
    this.#deadline = Math.max(this.#deadline, call.deadline);
    this.addCallers(call);
  }

  /** Adds the turns of callers who wait for the next read, which follows this one. */
  addCallers({ callers = new Callers(undefined) }: ReadCall): void {
    this.#callers.join(callers);
  }

  remove(reason: unknown): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#stop.abort(reason);
  }
}
