import { HttpProblem } from '../endpoint/problems.ts';
import type { LastingAccess } from './lasting-access.ts';

/** How often it is looked at whether a token is still valid, in milliseconds. */
const RECHECK_MS = 1000;

/** Whom an export is for. */
export interface ExportCaller {
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
  /** Says whether the caller may still get the export. */
  readonly access: Pick<LastingAccess, 'isSame' | 'forget'>;
}

/** An export that runs, until it ends or is stopped. */
export class RunningExport {
  readonly #caller: ExportCaller;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #leave = (): void => this.#controller.abort();
  #stoppedBy: unknown;

  constructor(caller: ExportCaller) {
    this.#caller = caller;
    caller.signal.addEventListener('abort', this.#leave, { once: true });
    if (caller.signal.aborted) this.#leave();
    this.#timer = setInterval(() => void this.#look(), RECHECK_MS).unref();
  }

  /** Aborts when it is stopped, or its caller leaves. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What it was stopped for; undefined where it was not. */
  get stoppedBy(): unknown {
    return this.#stoppedBy;
  }

  stop(error: unknown): void {
    this.#stoppedBy ??= error;
    this.#controller.abort(error);
  }

  /** Finds out whether the caller may still get it, and stops it where not. */
  recheck(): void {
    this.#caller.access.forget();
    void this.#look();
  }

  /** Looks at nothing any longer. */
  end(): void {
    clearInterval(this.#timer);
    this.#caller.signal.removeEventListener('abort', this.#leave);
  }

  async #look(): Promise<void> {
    try {
      if (!(await this.#caller.access.isSame())) this.stop(otherAccess());
    } catch (error) {
      this.stop(error);
    }
  }
}

function otherAccess(): HttpProblem {
  return new HttpProblem(
    'unauthenticated',
    'What the token may see has changed since the export began. Ask again.',
  );
}
