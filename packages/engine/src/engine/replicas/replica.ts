import { setTimeout as sleep } from 'node:timers/promises';

import { SettingsError } from '../../errors.ts';
import type { LogPositions, LogState } from '../../sources/log-position.ts';
import type { ReplicaProblem, ReplicaStatus } from '../../sources/replica-watch.ts';
import type { Source } from '../../sources/source.ts';
import { type LogClock, LogSampler } from './log-clock.ts';

/** How often a replica and its primary are looked at, in milliseconds. */
const LOOK_MS = 100;

const REOPEN_MS = 1000;

/** After so many failed looks a replica counts as unreachable. */
const MOST_MISSED = 2;

export interface ReplicaParts {
  readonly name: string;
  readonly open: () => Promise<Source>;
  readonly primary: LogSampler;
  readonly clock: LogClock;
  readonly positions: LogPositions;
  readonly maxLagMs: number;
  readonly onChange: (status: ReplicaStatus) => void;
}

export interface ReplicaMoment {
  readonly replica: Replica;
  readonly source: Source;
  readonly state: LogState;
  /** The replica includes all that the primary showed at this moment. */
  readonly reachedAt: number;
  /** Aborts when the replica can't be reached any more: a frozen one ends no read. */
  readonly signal: AbortSignal;
}

/** Whether reads may go to a replica, and how far it has come. */
export class Replica {
  readonly #parts: ReplicaParts;
  readonly #closed = new AbortController();
  readonly #looked = Promise.withResolvers<void>();
  #source: Source | undefined;
  #sampler: LogSampler | undefined;
  #latest: LogState | undefined;
  #reachedAt = -Infinity;
  /** Without lag, which each read computes. */
  #found: ReplicaProblem | undefined = { fault: 'starting', message: 'It was not looked at yet.' };
  #reported: string | undefined = 'starting';
  #missed = 0;
  #reading = new AbortController();
  running = 0;
  reads = 0;
  failedReads = 0;

  constructor(parts: ReplicaParts, source: Source | undefined) {
    this.#parts = parts;
    if (source !== undefined) this.#use(source);
    void this.#watch();
  }

  get source(): Source | undefined {
    return this.#source;
  }

  get status(): ReplicaStatus {
    const { name } = this.#parts;
    const lagSeconds = (performance.now() - this.#reachedAt) / 1000;
    const { problem, reads, failedReads } = this;
    return { name, problem, lagSeconds, reads, failedReads };
  }

  get problem(): ReplicaProblem | undefined {
    if (this.#found !== undefined) return this.#found;
    const { maxLagMs } = this.#parts;
    if (performance.now() - this.#reachedAt <= maxLagMs) return undefined;
    return { fault: 'lagging', message: `It may be more than ${maxLagMs} ms behind.` };
  }

  get looked(): Promise<void> {
    return this.#looked.promise;
  }

  get moment(): ReplicaMoment | undefined {
    const [source, state] = [this.#source, this.#latest];
    if (!source || !state || this.problem !== undefined) return undefined;
    const { signal } = this.#reading;
    return { replica: this, source, state, reachedAt: this.#reachedAt, signal };
  }

  async sample(): Promise<LogState> {
    if (this.#sampler === undefined) throw new Error('The replica is not open.');
    const { state } = await this.#sampler.sample();
    this.#note(state);
    return state;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#looked.resolve();
    await this.#source?.close();
  }

  #note(state: LogState): void {
    this.#latest = state;
    this.#reachedAt = this.#parts.clock.reachedAt(state.applied);
  }

  #use(source: Source): void {
    this.#source = source;
    this.#sampler = new LogSampler(source.log);
  }

  async #watch(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      const pauseMs = this.#source === undefined ? await this.#open() : await this.#look();
      this.#report();
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #open(): Promise<number> {
    try {
      const source = await this.#parts.open();
      if (this.#closed.signal.aborted) await source.close();
      else this.#use(source);
      return 0;
    } catch (error) {
      this.#found = unreachable(error);
      this.#looked.resolve();
      return REOPEN_MS;
    }
  }

  /** Asks the primary after the replica, to see if the replica is ahead. */
  async #look(): Promise<number> {
    try {
      const state = await this.sample();
      const { primary, clock, positions } = this.#parts;
      const sampled = await primary.sample().catch(() => undefined);
      // With the primary away, nothing new is known of the replica.
      if (sampled !== undefined) {
        clock.note(sampled);
        this.#missed = 0;
        this.#note(state);
        this.#found = replicaProblem(state, sampled.state, positions);
      }
    } catch (error) {
      this.#miss(error);
    }
    this.#looked.resolve();
    return LOOK_MS;
  }

  #miss(error: unknown): void {
    this.#missed += 1;
    if (error instanceof SettingsError)
      this.#found = { fault: 'unsuitable', message: error.message };
    else if (this.#missed >= MOST_MISSED) {
      this.#found = unreachable(error);
      this.#reading.abort(error);
      this.#reading = new AbortController();
    }
  }

  #report(): void {
    const { problem } = this;
    if (problem?.fault === this.#reported) return;
    this.#reported = problem?.fault;
    if (!this.#closed.signal.aborted) this.#parts.onChange(this.status);
  }
}

function unreachable(error: unknown): ReplicaProblem {
  const message = error instanceof Error ? error.message : String(error);
  return { fault: 'unreachable', message };
}

export function replicaProblem(
  replica: LogState,
  primary: LogState,
  positions: LogPositions,
): ReplicaProblem | undefined {
  if (clusterOf(replica) !== clusterOf(primary))
    return { fault: 'other_cluster', message: 'It belongs to another cluster than `database`.' };
  if (!replica.isReplica)
    return {
      fault: 'not_a_replica',
      message: 'It takes writes itself: it was promoted, or never was a replica.',
    };
  if (replica.log !== primary.log)
    return {
      fault: 'other_timeline',
      message:
        'It is on another timeline than `database`, or is not known yet to be on the same: ' +
        'with the role `pg_read_all_stats` the service sees that at once.',
    };
  // Where `database` is itself a replica, another one may be ahead of it.
  if (!primary.isReplica && !positions.covers(primary.applied, replica.applied))
    return {
      fault: 'ahead',
      message: 'It holds transactions that `database` lacks, and so is not its replica.',
    };
  return undefined;
}

/** A log's name ends with its cluster's, where it has one. */
function clusterOf({ log }: LogState): string {
  return log.slice(log.indexOf('.') + 1);
}
