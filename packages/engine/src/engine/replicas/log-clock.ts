import type { LogPositions, LogState } from '../../sources/log-position.ts';

/** A state of a log, and when it was asked for, as a moment of `performance.now()`. */
export interface TimedState {
  readonly state: LogState;
  /** Everything that was visible before this moment is at or before the position. */
  readonly at: number;
}

/**
 * How many samples are kept. When there are more, every second one of the older half is dropped.
 */
const MOST_SAMPLES = 512;

/** A position of the primary's log, and a moment before which everything was at or before it. */
interface Sample {
  readonly position: string;
  readonly at: number;
}

/**
 * Where the primary was in its log, by time: from it follows how old the state is that a replica
 * shows. Nothing is taken from the clocks of the servers.
 */
export class LogClock {
  readonly #positions: LogPositions;
  #seen: Sample[] = [];
  #flushed: Sample[] = [];

  constructor(positions: LogPositions) {
    this.#positions = positions;
  }

  /** Notes where the primary is. */
  note({ state: { seen, flushed }, at }: TimedState): void {
    if (seen !== undefined) this.#seen = withSample(this.#seen, { position: seen, at });
    if (flushed === undefined) return;
    const sample = { position: flushed.position, at: at - flushed.withinMs };
    this.#flushed = withSample(this.#flushed, sample);
  }

  /**
   * The latest moment at which everything that the primary showed was included in a position, so
   * that a server at the position is no older than that moment. Minus infinity where no such moment
   * is known.
   */
  reachedAt(position: string): number {
    const moments = [this.#seen, this.#flushed].map((samples) => {
      const last = samples.findLast((sample) => this.#positions.covers(position, sample.position));
      return last?.at ?? -Infinity;
    });
    return Math.max(...moments);
  }
}

function withSample(samples: Sample[], sample: Sample): Sample[] {
  samples.push(sample);
  if (samples.length <= MOST_SAMPLES) return samples;
  return samples.filter((_sample, index) => index >= MOST_SAMPLES / 2 || index % 2 === 0);
}
