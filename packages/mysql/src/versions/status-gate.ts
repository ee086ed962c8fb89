/** A longer status holds a mutex of the server for too long, in characters. */
const LONGEST_STATUS = 64 * 1024;

/** Whether a status of so many characters is too long to be asked for, or to be relied on. */
export function isTooLong(length: number): boolean {
  return length > LONGEST_STATUS;
}

/**
 * A status that takes longer than this in the server, in milliseconds, holds the mutex too long as
 * well. The quickest one of the last reports is compared.
 */
const SLOWEST_STATUS_MS = 2;
const TIMES_KEPT = 16;

/** A status that is not to be had, or costs too much, is asked for again after so long. */
const OFF_MS = 30_000;

/**
 * The longest pause, in milliseconds. After more than two new versions in a row, pages are read
 * without a version for 1 ms, then 2 ms and so on, twice as long after each further one, so that
 * data which changes all the time costs few reports.
 */
const LONGEST_PAUSE_MS = 64;
const FREE_IN_VAIN = 2;

/** A version that is the same for so long, in milliseconds, lets totals and replies be kept. */
const LASTING_MS = 20;

/** What came of a report. */
export interface StatusOutcome {
  /** The length of its text; undefined where the server refused it, or said nothing of the view. */
  readonly length: number | undefined;
  /** What it took in the server. */
  readonly milliseconds: number;
  /** Since when the version was seen, in milliseconds: 0 for a new one, and for none. */
  readonly ageMs: number;
}

/**
 * Decides whether to ask for the version of a snapshot, which takes a report of InnoDB's status.
 */
export class StatusGate {
  readonly #now: () => number;
  #times: number[] = [];
  #offUntil = -Infinity;
  #inVain = 0;
  #pausedUntil = -Infinity;

  /** @param now the time in milliseconds, of any clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether a status may be had at all. */
  get isOpen(): boolean {
    return this.#now() >= this.#offUntil;
  }

  /** Whether a page should be read with its version. */
  get isWorthIt(): boolean {
    return this.isOpen && this.#now() >= this.#pausedUntil;
  }

  /** Whether the latest versions were all different. */
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
