import { QueryFailedError } from '@proj/engine';
import type { Logger } from 'pino';

import { backoff } from './backoff.ts';
import { operatorMessage } from './process/operator-message.ts';

/** An operator's reload also reads the schema again. */
export type ReloadCause = 'settings' | 'operator';

export interface Reloaded {
  readonly lines: readonly string[];
  readonly rereads: boolean;
  readonly models: number;
}

export interface ReloaderParts {
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Applies all settings, or throws and applies none. Undefined where nothing has changed. */
  readonly attempt: (cause: ReloadCause) => Promise<Reloaded | undefined>;
}

/** Applies settings to a running service: all of them, or none. One reload runs at a time. */
export class Reloader {
  readonly #parts: ReloaderParts;
  #running: Promise<boolean> | undefined;
  #isAsked = false;
  /** Of the next attempt. An operator's cause holds until an attempt has succeeded. */
  #cause: ReloadCause = 'settings';
  /** How often in a row the database made a reload fail. */
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(parts: ReloaderParts) {
    this.#parts = parts;
  }

  /** Whether settings read after this call are applied. Retries later if the database failed. */
  async reload(cause: ReloadCause): Promise<boolean> {
    if (this.#closed) return false;
    this.#isAsked = true;
    if (cause === 'operator') this.#cause = cause;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  close(): void {
    this.#closed = true;
    this.#isAsked = false;
    clearTimeout(this.#retry);
  }

  async #run(): Promise<boolean> {
    let applied = true;
    while (this.#isAsked) applied = await this.#try();
    return applied;
  }

  async #try(): Promise<boolean> {
    clearTimeout(this.#retry);
    const cause = this.#cause;
    this.#cause = 'settings';
    this.#isAsked = false;
    try {
      this.#note(await this.#parts.attempt(cause));
      this.#failures = 0;
      return true;
    } catch (error) {
      if (cause === 'operator') this.#cause = cause;
      if (!this.#closed) this.#fail(error);
      return false;
    }
  }

  #note(reloaded: Reloaded | undefined): void {
    if (reloaded === undefined) return;
    const { log } = this.#parts;
    const { lines, rereads, models } = reloaded;
    for (const line of lines) log.warn(line);
    log.info({ models }, rereads ? 'settings and catalogue reloaded' : 'settings reloaded');
  }

  #fail(error: unknown): void {
    const reason = operatorMessage(error);
    this.#parts.log.error(
      reason === undefined ? { err: error } : { reason },
      'reload failed, keeping the previous settings',
    );
    if (!(error instanceof QueryFailedError)) return;
    this.#failures += 1;
    this.#retry = setTimeout(() => void this.reload(this.#cause), backoff(this.#failures)).unref();
  }
}
