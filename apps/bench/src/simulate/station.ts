import TinyQueue from 'tinyqueue';

/** Processors that take work in the order in which it comes, each one piece at a time. */
export class Station {
  readonly cores: number;
  /** When each processor has done all that it was given, the earliest first. */
  readonly #free: TinyQueue<number>;
  #busy = 0;

  constructor(cores: number) {
    this.cores = cores;
    this.#free = new TinyQueue(Array.from({ length: cores }, () => 0));
  }

  /** How long its processors have worked or will, together. */
  get busy(): number {
    return this.#busy;
  }

  /**
   * Gives work to the processor that is free first. To be called in the order of time.
   *
   * @returns when the work is done
   */
  work(now: number, duration: number): number {
    const done = Math.max(now, this.#free.pop() ?? 0) + duration;
    this.#free.push(done);
    this.#busy += duration;
    return done;
  }
}
