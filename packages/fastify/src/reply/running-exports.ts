import type { ProblemCode } from '@proj/contract';
import { QueryFailedError } from '@proj/engine';

import { type ExportCaller, RunningExport } from './running-export.ts';

export class RunningExports {
  readonly #running = new Set<RunningExport>();
  readonly #cut = new Map<ProblemCode | 'cancelled', number>();
  #completed = 0;
  #bytes = 0;
  #isStopping = false;

  get running(): number {
    return this.#running.size;
  }

  get completed(): number {
    return this.#completed;
  }

  /** Bytes sent, also of cut exports. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Cut exports by problem code; `cancelled` where the client went away. */
  get cut(): ReadonlyMap<ProblemCode | 'cancelled', number> {
    return this.#cut;
  }

  /**
   * Runs an export under a signal that aborts when its caller leaves or may no longer get it, or
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

  /** Rechecks all callers, after settings changed. */
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

  /** Cuts all running exports, and each that begins from now on. */
  stopAll(): void {
    this.#isStopping = true;
    for (const running of this.#running) running.stop(stopping());
  }
}

function stopping(): QueryFailedError {
  return new QueryFailedError('shutting_down', 'The service is stopping.');
}
