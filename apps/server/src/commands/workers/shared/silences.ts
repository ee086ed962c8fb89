import type { Logger } from 'pino';

import type { PulseParts } from './pulse.ts';

interface WatchedWorker {
  readonly number: number;
  readonly pid: number | undefined;
  readonly kill: () => void;
}

/** Counts and logs workers that do not answer, and kills those that are lost. */
export class Silences {
  readonly #log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly #onAnswer: () => void;
  /** How often a worker did not answer for a second. */
  count = 0;

  constructor(log: Pick<Logger, 'info' | 'warn' | 'error'>, onAnswer: () => void) {
    this.#log = log;
    this.#onAnswer = onAnswer;
  }

  of({ number, pid, kill }: WatchedWorker): Omit<PulseParts, 'ask'> {
    const noted = { worker: number, pid };
    return {
      onSilent: () => {
        this.count += 1;
        this.#log.warn(noted, 'a worker does not answer; it gets no connections');
      },
      onAnswer: () => {
        this.#log.info(noted, 'a worker answers again');
        this.#onAnswer();
      },
      onLost: () => {
        this.#log.error(noted, 'a worker that does not answer is killed');
        kill();
      },
    };
  }
}
