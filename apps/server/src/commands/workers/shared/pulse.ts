import { QueryFailedError } from '@proj/engine';

/** A worker is asked this often whether it answers, in milliseconds. */
export const BEAT_MS = 250;

/** After a second without an answer a worker counts as silent. */
const SILENT_BEATS = 4;

/**
 * After so long without an answer it is lost. The largest page that settings allow keeps a process
 * from answering for 3 s on a busy machine.
 */
const LOST_BEATS = 40;

/** A worker that starts may take a minute until its first answer, and is not silent until then. */
const LOST_AT_START_BEATS = 240;

/** What a pulse needs of its worker, and reports. */
export interface PulseParts {
  /** Resolves when the worker has answered. */
  readonly ask: () => Promise<unknown>;
  readonly onSilent: () => void;
  /** It answers again. */
  readonly onAnswer: () => void;
  readonly onLost: () => void;
}

/**
 * Whether a worker answers. Time is counted in beats of this process and not read from a clock:
 * when the whole machine was suspended, no beat was missed.
 */
export class Pulse {
  readonly #parts: PulseParts;
  readonly #waiting = new Set<() => void>();
  #hasAnswered = false;
  #isAsked = false;
  #missed = 0;

  constructor(parts: PulseParts) {
    this.#parts = parts;
  }

  /** Whether it has not answered for a second. */
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

  /**
   * An answer of the worker.
   *
   * @throws {QueryFailedError} `overloaded` when the worker falls silent before
   */
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
