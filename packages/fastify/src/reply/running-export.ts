import { QueryFailedError } from '@proj/engine';

import { HttpProblem } from '../endpoint/problems.ts';
import type { LastingAccess } from './lasting-access.ts';

/** How often the token is checked, in milliseconds. */
const RECHECK_MS = 1000;

const OTHER_ACCESS = 'What the token may see has changed since the export began. Ask again.';

export interface ExportCaller {
  readonly signal: AbortSignal;
  readonly access: Pick<LastingAccess, 'isSame' | 'forget'>;
}

export class RunningExport {
  readonly #caller: ExportCaller;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly signal: AbortSignal;
  #stoppedBy: unknown;

  constructor(caller: ExportCaller) {
    this.#caller = caller;
    this.signal = AbortSignal.any([caller.signal, this.#controller.signal]);
    this.#timer = setInterval(() => void this.#look(), RECHECK_MS).unref();
  }

  get stoppedBy(): unknown {
    return this.#stoppedBy;
  }

  stop(error: unknown = new QueryFailedError('shutting_down', 'The service is stopping.')): void {
    this.#stoppedBy ??= error;
    this.#controller.abort(error);
  }

  /** Stops the export if its caller may no longer get it. */
  recheck(): void {
    this.#caller.access.forget();
    void this.#look();
  }

  end(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    try {
      if (!(await this.#caller.access.isSame()))
        this.stop(new HttpProblem('unauthenticated', OTHER_ACCESS));
    } catch (error) {
      this.stop(error);
    }
  }
}
