import type { Engine } from '@proj/engine';
import type { Logger } from 'pino';

import { waitForDatabase } from '../database-wait.ts';
import { LateEngine } from '../late-engine.ts';
import type { CheckedEngine } from './open-database.ts';

/** How one of several databases is waited for. */
export interface Waiting {
  /** Opens it, and checks that it fits the others. */
  readonly open: () => Promise<CheckedEngine>;
  /** Why it is waited for. */
  readonly failure: Error;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Runs when it answers. */
  readonly onOpen: (engine: Engine) => void;
}

/** One of several databases that has not answered yet. The others are served meanwhile. */
export class WaitingDatabase {
  readonly #waiting: Waiting;
  readonly #late = new LateEngine();
  readonly #closing = new AbortController();
  #opening: Promise<void> | undefined;

  constructor(waiting: Waiting) {
    this.#waiting = waiting;
  }

  /** What is served for it: 503 until it answers. */
  get engine(): Engine {
    return this.#late.engine;
  }

  get isOpen(): boolean {
    return this.#late.isServing;
  }

  /** Tries from now on until it answers, whatever keeps it from that. */
  begin(): void {
    this.#opening ??= this.#wait();
  }

  /** An attempt that is under way ends by itself, and what it opens is closed then. */
  async close(): Promise<void> {
    this.#closing.abort();
    if (this.isOpen) await this.engine.close();
    else void this.#opening?.then(() => this.engine.close());
  }

  async #wait(): Promise<void> {
    const { open, failure, log, onOpen } = this.#waiting;
    const { signal } = this.#closing;
    const opened = await waitForDatabase({
      open,
      failure,
      signal,
      log,
      isWaitedFor: () => true,
    });
    if (opened === undefined) return;
    this.#late.attach(opened.engine);
    if (signal.aborted) return;
    for (const warning of opened.warnings) log.warn(warning);
    this.#late.serve();
    onOpen(opened.engine);
  }
}
