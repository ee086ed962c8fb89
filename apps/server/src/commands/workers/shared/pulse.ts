import { QueryFailedError } from '@proj/engine';

export const BEAT_MS = 250;

/** After a second without an answer a worker counts as silent. */
const SILENT_BEATS = 4;

/** Then a worker is lost. The largest allowed page blocks a process for 3 s on a busy machine. */
const LOST_BEATS = 40;

/** A starting worker may take a minute for its first answer, and is not silent until then. */
const LOST_AT_START_BEATS = 240;

export interface PulseParts {
  /** Resolves when the worker has answered. */
  readonly ask: () => Promise<unknown>;
  readonly onSilent: () => void;
  readonly onAnswer: () => void;
  readonly onLost: () => void;
}

/** Counts beats of this process instead of reading a clock: a suspended machine misses no beat. */
export class Pulse {
  readonly #parts: PulseParts;
  readonly #waiting = new Set<() => void>();
  #hasAnswered = false;
  #isAsked = false;
  #missed = 0;

  constructor(parts: PulseParts) {
    this.#parts = parts;
  }

  /** Not answered for a second. */
  get isSilent(): boolean {
    return this.#hasAnswered && this.#missed >= SILENT_BEATS;
  }

  beat(): void {
    if (!this.#isAsked) {
      this.#isAsked = true;
      this.#parts.ask().then(
        () => this.#answered(),
        // It has ended.
        () => undefined,
      );
      return;
    }
    this.#missed += 1;
    if (this.#hasAnswered && this.#missed === SILENT_BEATS) {
      for (const giveUp of this.#waiting) giveUp();
      this.#parts.onSilent();
    }
    const lost = this.#hasAnswered ? LOST_BEATS : LOST_AT_START_BEATS;
    if (this.#missed === lost) this.#parts.onLost();
  }

  /** @throws {QueryFailedError} `overloaded` when the worker falls silent before it answers */
  async unlessSilent<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const silence = Promise.withResolvers<never>();
    const giveUp = (): void =>
      silence.reject(new QueryFailedError('overloaded', 'A worker process does not answer.'));
    this.#waiting.add(giveUp);
    if (this.isSilent) giveUp();
    try {
      return await Promise.race([answer, silence.promise]);
    } finally {
      this.#waiting.delete(giveUp);
    }
  }

  #answered(): void {
    const wasSilent = this.isSilent;
    this.#hasAnswered = true;
    this.#isAsked = false;
    this.#missed = 0;
    if (wasSilent) this.#parts.onAnswer();
  }
}
