/**
 * After each reading of the schema there is a pause of so many times as long as it took, so that
 * one connection has little to do with it.
 */
const PAUSE_FACTOR = 20;

/**
 * However long reading the schema takes, no query waits longer than this for the next reading to
 * begin, in milliseconds.
 */
const LONGEST_PAUSE_MS = 1000;

/** When the schema is read again. */
export interface SchemaWatchSettings {
  /**
   * How often the schema is read without a query that fails, in milliseconds, to find changes such
   * as a dropped key.
   */
  readonly checkMs: number;
}

/**
 * Reads the schema again when queries fail because of a change, and at intervals. Queries that wait
 * share one reading, and there is a pause between two readings. A query never gets the result of a
 * reading that began before the query asked.
 */
export class SchemaWatch {
  readonly #read: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  /** The next reading, as long as it has not begun. */
  #next: Promise<void> | undefined;
  #current: Promise<void> = Promise.resolve();
  #tookMs = 0;
  #endedAt = -Infinity;

  constructor(read: () => Promise<void>, { checkMs }: SchemaWatchSettings) {
    this.#read = read;
    this.#timer = setInterval(() => this.#check(), checkMs).unref();
  }

  /**
   * Waits for a reading that begins after this call.
   *
   * @throws whatever kept the schema from being read
   */
  refresh(): Promise<void> {
    this.#next ??= this.#readNext();
    return this.#next;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /**
   * Reading a large schema takes so long that a check waits for the pause as it is, without the
   * bound that queries have.
   */
  #check(): void {
    if (performance.now() < this.#endedAt + PAUSE_FACTOR * this.#tookMs) return;
    // What keeps the schema from being read is reported by the queries that meet it.
    void this.refresh().catch(() => undefined);
  }

  async #readNext(): Promise<void> {
    await this.#current.catch(() => undefined);
    const waitMs =
      this.#endedAt + Math.min(LONGEST_PAUSE_MS, PAUSE_FACTOR * this.#tookMs) - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    this.#next = undefined;
    this.#current = this.#readNow();
    return this.#current;
  }

  async #readNow(): Promise<void> {
    const started = performance.now();
    try {
      await this.#read();
    } finally {
      this.#endedAt = performance.now();
      this.#tookMs = this.#endedAt - started;
    }
  }
}
