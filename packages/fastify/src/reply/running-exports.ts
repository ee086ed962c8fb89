import type { ProblemCode } from '@proj/contract';

import { LastingReplies } from './lasting-replies.ts';
import { type ExportCaller, RunningExport } from './running-export.ts';

export class RunningExports extends LastingReplies<RunningExport> {
  readonly #cut = new Map<ProblemCode | 'cancelled', number>();
  #completed = 0;
  #bytes = 0;

  get running(): number {
    return this.replies.size;
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

  /** Its signal aborts when its caller leaves or loses access, or all are stopped. */
  async run(caller: ExportCaller, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const running = new RunningExport(caller);
    this.add(running);
    try {
      await work(running.signal);
    } catch (error) {
      throw running.stoppedBy ?? error;
    } finally {
      this.remove(running);
      running.end();
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
}
