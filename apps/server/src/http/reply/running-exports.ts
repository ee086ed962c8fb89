import type { ProblemCode } from '@proj/contract';
import { QueryFailedError } from '@proj/engine';

/** The exports of a process that run, and what has become of the others. */
export class RunningExports {
  readonly #running = new Set<AbortController>();
  readonly #cut = new Map<ProblemCode | 'cancelled', number>();
  #completed = 0;
  #bytes = 0;

  /** How many run now. */
  get running(): number {
    return this.#running.size;
  }

  /** How many were sent as a whole. */
  get completed(): number {
    return this.#completed;
  }

  /** How many bytes were sent, those of exports that were cut included. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many were cut, by the code of the reason; `cancelled` where the client went away. */
  get cut(): ReadonlyMap<ProblemCode | 'cancelled', number> {
    return this.#cut;
  }

  /**
   * Does an export under a signal that aborts when the given one does, or when all are stopped.
   */
  async run(caller: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    const leave = (): void => controller.abort();
    caller.addEventListener('abort', leave, { once: true });
    if (caller.aborted) leave();
    this.#running.add(controller);
    try {
      await work(controller.signal);
    } finally {
      this.#running.delete(controller);
      caller.removeEventListener('abort', leave);
    }
  }

  noteBytes(bytes: number): void {
    this.#bytes += bytes;
  }

  noteCompleted(): void {
    this.#completed += 1;
  }

  noteCut(reason: ProblemCode | 'cancelled'): void {
    this.#cut.set(reason, (this.#cut.get(reason) ?? 0) + 1);
  }

  /** Stops all that run, whose replies are cut. */
  stopAll(): void {
    for (const controller of this.#running)
      controller.abort(new QueryFailedError('shutting_down', 'The service is stopping.'));
  }
}
