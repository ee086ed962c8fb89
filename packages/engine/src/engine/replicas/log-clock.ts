import { sharedRuns } from '../../shared-runs.ts';
import type { LogPositions, LogState } from '../../sources/log-position.ts';
import { QueryFailedError } from '../../errors.ts';
import type { ServerLog } from '../../sources/source.ts';

export interface TimedState {
  readonly state: LogState;
  /** Everything visible before this moment is at or before the position. */
  readonly at: number;
}

/** Beyond this, every second sample of the older half is dropped. */
const MOST_SAMPLES = 512;

interface Sample {
  readonly position: string;
  readonly at: number;
}

/** Dates the primary's log positions, and so the state of a replica, without clocks of servers. */
export class LogClock {
  readonly #positions: LogPositions;
  #seen: Sample[] = [];
  #flushed: Sample[] = [];

  constructor(positions: LogPositions) {
    this.#positions = positions;
  }

  note({ state: { seen, flushed }, at }: TimedState): void {
    if (seen !== undefined) this.#seen = withSample(this.#seen, { position: seen, at });
    if (flushed === undefined) return;
    const sample = { position: flushed.position, at: at - flushed.withinMs };
    this.#flushed = withSample(this.#flushed, sample);
  }

  /** A server at the position is no older than this moment. Minus infinity where unknown. */
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

export class LogSampler {
  readonly sample: () => Promise<TimedState>;
  latest: LogState | undefined;

  constructor(log: Pick<ServerLog, 'state'> | undefined) {
    this.sample = sharedRuns(async () => {
      const at = performance.now();
      const state = await log?.state().catch(explain);
      if (state === undefined) throw new Error('The database has no log.');
      this.latest = state;
      return { state, at };
    });
  }
}

/** This question's timeout is not the query's, so it becomes another error. */
function explain(cause: unknown): never {
  if (!(cause instanceof QueryFailedError)) throw cause;
  const message = `The server did not say where it is in its log: ${cause.message}`;
  throw new QueryFailedError('database_unavailable', message, { cause });
}
