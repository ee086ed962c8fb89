import { setTimeout as sleep } from 'node:timers/promises';

import { SettingsError } from '../../errors.ts';
import type { LogPositions, LogState } from '../../sources/log-position.ts';
import type { ReplicaProblem, ReplicaStatus } from '../../sources/replica-watch.ts';
import type { Source } from '../../sources/source.ts';
import type { LogClock, TimedState } from './log-clock.ts';
import { LogSampler } from './log-sampler.ts';
import { replicaProblem } from './replica-problem.ts';

/** A replica is looked at so often, in milliseconds, and its primary with it. */
const LOOK_MS = 100;

/** One that cannot be reached is tried again after so many milliseconds. */
const REOPEN_MS = 1000;

/** How many looks in a row may fail before the replica counts as unreachable. */
const MOST_MISSED = 2;

/** What a replica is watched with. */
export interface ReplicaParts {
  /** Host and port. */
  readonly name: string;
  readonly open: () => Promise<Source>;
  readonly primary: LogSampler;
  readonly clock: LogClock;
  readonly positions: LogPositions;
  readonly maxLagMs: number;
  readonly onChange: (status: ReplicaStatus) => void;
}

/** How far a replica had come at a moment before now. */
export interface ReplicaMoment {
  readonly state: LogState;
  /** Everything that the primary showed at this moment is included in the replica's state. */
  readonly reachedAt: number;
}

/** One replica: whether reads may go to it, and how far it has come. */
export class Replica {
  readonly #parts: ReplicaParts;
  readonly #closed = new AbortController();
  readonly #looked = Promise.withResolvers<void>();
  #source: Source | undefined;
  #sampler: LogSampler | undefined;
  #latest: LogState | undefined;
  #reachedAt = -Infinity;
  /** The problem that the last look found, without lag: that is computed at each read. */
  #found: ReplicaProblem | undefined = { fault: 'starting', message: 'It was not looked at yet.' };
  #reported: string | undefined = 'starting';
  #missed = 0;
  /** Reads that it is answering. */
  running = 0;
  reads = 0;
  failedReads = 0;

  /** @param source what was opened already */
  constructor(parts: ReplicaParts, source: Source | undefined) {
    this.#parts = parts;
    if (source !== undefined) this.#use(source);
    void this.#watch();
  }

  /** The source of a replica that is usable. */
  get source(): Source | undefined {
    return this.#source;
  }

  get status(): ReplicaStatus {
    const { name } = this.#parts;
    const lagSeconds = (performance.now() - this.#reachedAt) / 1000;
    const { problem, reads, failedReads } = this;
    return { name, problem, lagSeconds, reads, failedReads };
  }

  /** Why no reads go to it; undefined while they do. */
  get problem(): ReplicaProblem | undefined {
    if (this.#found !== undefined) return this.#found;
    const { maxLagMs } = this.#parts;
    if (performance.now() - this.#reachedAt <= maxLagMs) return undefined;
    return { fault: 'lagging', message: `It may be more than ${maxLagMs} ms behind.` };
  }

  /** Resolves once it was looked at for the first time, or could not be. */
  get looked(): Promise<void> {
    return this.#looked.promise;
  }

  /** How far it has come, while it is usable. */
  get moment(): ReplicaMoment | undefined {
    const state = this.#latest;
    if (state === undefined || this.problem !== undefined) return undefined;
    return { state, reachedAt: this.#reachedAt };
  }

  /**
   * Where it is at a moment after the call.
   *
   * @throws {QueryFailedError} when it does not answer
   */
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

  /** Asks the replica, and after it the primary, so that it is seen if the replica is ahead. */
  async #look(): Promise<number> {
    try {
      const state = await this.sample();
      const primary = await this.#primaryState();
      this.#missed = 0;
      this.#note(state);
      this.#found = replicaProblem(
        { replica: state, primary: primary.state },
        this.#parts.positions,
      );
    } catch (error) {
      if (!(error instanceof PrimaryAwayError)) this.#miss(error);
    }
    this.#looked.resolve();
    return LOOK_MS;
  }

  async #primaryState(): Promise<TimedState> {
    const { primary, clock } = this.#parts;
    const sampled = await primary.sample().catch((cause: unknown) => {
      throw new PrimaryAwayError('The primary gave no answer.', { cause });
    });
    clock.note(sampled);
    return sampled;
  }

  #miss(error: unknown): void {
    this.#missed += 1;
    if (error instanceof SettingsError)
      this.#found = { fault: 'unsuitable', message: error.message };
    else if (this.#missed >= MOST_MISSED) this.#found = unreachable(error);
  }

  #report(): void {
    const { problem } = this;
    if (problem?.fault === this.#reported) return;
    this.#reported = problem?.fault;
    if (!this.#closed.signal.aborted) this.#parts.onChange(this.status);
  }
}

/** The primary is away: nothing was learnt of the replica, which stays what it was. */
class PrimaryAwayError extends Error {
  override readonly name = 'PrimaryAwayError';
}

function unreachable(error: unknown): ReplicaProblem {
  const message = error instanceof Error ? error.message : String(error);
  return { fault: 'unreachable', message };
}
