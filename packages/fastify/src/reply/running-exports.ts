import type { ProblemCode } from '@proj/contract';
import { QueryFailedError } from '@proj/engine';

import { HttpProblem } from '../endpoint/problems.ts';
import type { LastingAccess } from './lasting-access.ts';
import { LastingReplies } from './lasting-replies.ts';

/** How often the token is checked, in milliseconds. */
const RECHECK_MS = 1000;

const OTHER_ACCESS = 'What the token may see has changed since the export began. Ask again.';

interface ExportCaller {
  readonly signal: AbortSignal;
  readonly access: Pick<LastingAccess, 'isSame' | 'forget'>;
}

export class RunningExport {
  readonly #access: ExportCaller['access'];
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly signal: AbortSignal;
  stoppedBy: unknown;

  constructor({ signal, access }: ExportCaller) {
    this.#access = access;
    this.signal = AbortSignal.any([signal, this.#controller.signal]);
    this.#timer = setInterval(() => void this.#look(), RECHECK_MS).unref();
  }

  stop(error: unknown = new QueryFailedError('shutting_down', 'The service is stopping.')): void {
    this.stoppedBy ??= error;
    this.#controller.abort(error);
  }

  /** Stops the export if its caller may no longer get it. */
  recheck(): void {
    this.#access.forget();
    void this.#look();
  }

  end(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    try {
      if (!(await this.#access.isSame()))
        this.stop(new HttpProblem('unauthenticated', OTHER_ACCESS));
    } catch (error) {
      this.stop(error);
    }
  }
}

export class RunningExports extends LastingReplies<RunningExport> {
  /** How many cut exports, by problem code; `cancelled` where the client went away. */
  readonly cut = new Map<ProblemCode | 'cancelled', number>();
  completed = 0;
  /** Sent, also of cut exports. */
  bytes = 0;

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

  noteCut(reason: ProblemCode | 'cancelled'): void {
    this.cut.set(reason, (this.cut.get(reason) ?? 0) + 1);
  }
}
