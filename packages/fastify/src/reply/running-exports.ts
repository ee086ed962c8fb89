import type { ProblemCode } from '@proj/contract';
import { QueryFailedError } from '@proj/engine';

import { type ExportCaller, RunningExport } from './running-export.ts';

/** The exports of a process that run, and what has become of the others. */
export class RunningExports {
  readonly #running = new Set<RunningExport>();
  readonly #cut = new Map<ProblemCode | 'cancelled', number>();
  #completed = 0;
  #bytes = 0;
  #isStopping = false;

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
   * Does an export under a signal that aborts when its caller leaves or may no longer get it, or
   * when all are stopped.
   *
   * @throws {HttpProblem} why its caller may no longer get it
   */
  async run(caller: ExportCaller, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const running = new RunningExport(caller);
    this.#running.add(running);
    if (this.#isStopping) running.stop(stopping());
    try {
      await work(running.signal);
    } catch (error) {
      throw running.stoppedBy ?? error;
    } finally {
      this.#running.delete(running);
      running.end();
    }
  }

  /** Finds out of all whether their callers may still get them: other settings are in force. */
  recheckAll(): void {
    for (const running of this.#running) running.recheck();
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

  /** Stops all that run, whose replies are cut, and each that begins from now on. */
  stopAll(): void {
    this.#isStopping = true;
    for (const running of this.#running) running.stop(stopping());
  }
}

function stopping(): QueryFailedError {
  return new QueryFailedError('shutting_down', 'The service is stopping.');
}
