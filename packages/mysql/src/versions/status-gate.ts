/** In characters. A longer status holds a server mutex for too long. */
const LONGEST_STATUS = 64 * 1024;

export function isTooLong(length: number): boolean {
  return length > LONGEST_STATUS;
}

/** In milliseconds, for the quickest recent report: slower ones hold the mutex too long. */
const SLOWEST_STATUS_MS = 2;
const TIMES_KEPT = 16;

/** How long to wait before asking again for a status that fails or costs too much. */
const OFF_MS = 30_000;

/** In milliseconds. Pauses double while versions keep changing, so that busy data costs little. */
const LONGEST_PAUSE_MS = 64;
const FREE_IN_VAIN = 2;

/** In milliseconds: totals and replies are worth keeping for a version this old. */
const LASTING_MS = 20;

export interface StatusOutcome {
  /** Of its text; undefined where the server refused it or showed no view. */
  readonly length: number | undefined;
  readonly milliseconds: number;
  /** How long the version has been seen, in milliseconds: 0 for a new one, and for none. */
  readonly ageMs: number;
}

/** Decides whether to ask for a snapshot's version, which takes a report of InnoDB's status. */
export class StatusGate {
  readonly #now: () => number;
  #times: number[] = [];
  #offUntil = -Infinity;
  #inVain = 0;
  #pausedUntil = -Infinity;

  /** @param now milliseconds of any clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get isOpen(): boolean {
    return this.#now() >= this.#offUntil;
  }

  get isWorthIt(): boolean {
    return this.isOpen && this.#now() >= this.#pausedUntil;
  }

  get isInVain(): boolean {
    return this.#inVain > FREE_IN_VAIN;
  }

  note({ length, milliseconds, ageMs }: StatusOutcome): void {
    this.#times = [milliseconds, ...this.#times].slice(0, TIMES_KEPT);
    const isSlow =
      this.#times.length === TIMES_KEPT && Math.min(...this.#times) > SLOWEST_STATUS_MS;
    if (length === undefined || isTooLong(length) || isSlow) this.#turnOff();
    else this.#noteAge(ageMs);
  }

  #turnOff(): void {
    this.#times = [];
    this.#offUntil = this.#now() + OFF_MS;
  }

  #noteAge(ageMs: number): void {
    if (ageMs >= LASTING_MS) this.#inVain = 0;
    else if (ageMs === 0) this.#inVain += 1;
    const pause = this.isInVain ? 2 ** (this.#inVain - FREE_IN_VAIN - 1) : 0;
    this.#pausedUntil = this.#now() + Math.min(pause, LONGEST_PAUSE_MS);
  }
}
