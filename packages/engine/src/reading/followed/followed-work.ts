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
  /** By the names of relations. */
  readonly #pausedUntil = new Map<string, number>();
  #running: Promise<void> | undefined;
  /** The rows that are worked on, and the end of the step that goes on or is the next. */
  #step: { readonly name: string; readonly ended: PromiseWithResolvers<void> } | undefined;

  /** @param timeoutMs how long the work on one relation may go on, in milliseconds */
  constructor(changes: Pick<FollowedChanges, 'during'>, timeoutMs: number) {
    this.#changes = changes;
    this.#timeoutMs = timeoutMs;
  }

  /** Begins work on the rows of a relation, unless some is going on. */
  begin(rows: FollowedRows, step: WorkStep): void {
    if (this.#running !== undefined) return;
    this.#noteStep(rows);
    const work = { kind: 'followed_list', relations: [rows.relation] } as const;
    this.#running = inBackground(work, () => this.#run(rows, step)).finally(() => {
      this.#running = undefined;
      this.#step?.ended.resolve();
      this.#step = undefined;
    });
  }

  /**
   * Resolves when the part ends that is done on rows, or is to be done next; undefined where none
   * is.
   */
  stepEnd({ name }: FollowedRows): Promise<void> | undefined {
    const step = this.#step;
    return step?.name === name ? step.ended.promise : undefined;
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
  async #repeat(rows: FollowedRows, step: WorkStep, call: ReadCall): Promise<void> {
    const { relation, session } = rows;
    const name = JSON.stringify(relation);
    for (let misses = 0; misses < MOST_MISSES;) {
      const pauseMs = (this.#pausedUntil.get(name) ?? 0) - performance.now();
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: call.signal });
      const started = performance.now();
      const done = await this.#changes.during(
        relation,
        async (snapshot, moment) => ({
          version: moment.version,
          hasMore: await step(snapshot, moment),
        }),
        { ...call, session, isBackground: true },
      );
      const now = performance.now();
      this.#pausedUntil.set(name, now + Math.max(1, now - started));
      this.#noteStep(rows);
      if (done?.hasMore === false) return;
      misses = done === undefined ? misses + 1 : 0;
    }
  }

  /** Notes that a step is over, if one was done. */
  #noteStep({ name }: FollowedRows): void {
    this.#step?.ended.resolve();
    this.#step = { name, ended: Promise.withResolvers() };
  }
}
