import { setTimeout as sleep } from 'node:timers/promises';

import { withDeadline } from '../../deadline.ts';
import type {
  FollowedChanges,
  KeySnapshot,
  ReadCall,
  RelationMoment,
} from '../../sources/source.ts';
import { inBackground } from '../../tracing.ts';
import type { FollowedRows } from './followed-rows.ts';

/** After work on a relation the next begins after so many milliseconds at the earliest. */
const PAUSE_MS = 500;

/**
 * How often in a row the feed may be too late for the snapshot of a step before the work is given
 * up.
 */
const MOST_MISSES = 20;

/** A part of some work, in one snapshot of a relation. Returns whether there is more to do. */
export type WorkStep = (snapshot: KeySnapshot, moment: RelationMoment) => Promise<boolean>;

/**
 * Counts lists and reads keys of followed relations in the background, for one relation at a time.
 */
export class FollowedWork {
  readonly #changes: Pick<FollowedChanges, 'during'>;
  readonly #timeoutMs: number;
  readonly #closing = new AbortController();
  readonly #endedAt = new Map<string, number>();
  #running: Promise<void> | undefined;

  /** @param timeoutMs how long the work on one relation may go on, in milliseconds */
  constructor(changes: Pick<FollowedChanges, 'during'>, timeoutMs: number) {
    this.#changes = changes;
    this.#timeoutMs = timeoutMs;
  }

  /** Begins work on the rows of a relation, unless some is going on, or has just ended. */
  begin(rows: FollowedRows, step: WorkStep): void {
    const { name, relation } = rows;
    const pausedUntil = (this.#endedAt.get(name) ?? -Infinity) + PAUSE_MS;
    if (this.#running !== undefined || performance.now() < pausedUntil) return;
    const work = { kind: 'followed_list', relations: [relation] } as const;
    this.#running = inBackground(work, () => this.#run(rows, step)).finally(() => {
      this.#endedAt.set(name, performance.now());
      this.#running = undefined;
    });
  }

  /** Stops whatever is going on. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  /** Never rejects: an error of the database is reported to callers when their pages meet it. */
  async #run(rows: FollowedRows, step: WorkStep): Promise<void> {
    const limits = { signal: this.#closing.signal, timeoutMs: this.#timeoutMs };
    await withDeadline(limits, (call) => this.#repeat(rows, step, call)).catch(() => undefined);
  }

  /**
   * Pauses after each step as long as the step took, so that the connection is busy half of the
   * time.
   */
  async #repeat(
    { relation, session }: FollowedRows,
    step: WorkStep,
    call: ReadCall,
  ): Promise<void> {
    for (let misses = 0; misses < MOST_MISSES;) {
      const started = performance.now();
      const done = await this.#changes.during(
        relation,
        async (snapshot, moment) => ({
          version: moment.version,
          hasMore: await step(snapshot, moment),
        }),
        { ...call, session, isBackground: true },
      );
      if (done?.hasMore === false) return;
      misses = done === undefined ? misses + 1 : 0;
      const pauseMs = Math.max(1, performance.now() - started);
      await sleep(pauseMs, undefined, { signal: call.signal });
    }
  }
}
