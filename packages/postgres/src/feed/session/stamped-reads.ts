import { compile, Deadlines, type Dialect, QueryFailedError } from '@proj/engine/database';
import type { Condition, FollowedStates } from '@proj/engine/following';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';

import type { Database } from '../../connection/database.ts';
import { lockRelations } from '../../connection/lock.ts';
import type { SessionStatement } from '../../connection/session.ts';
import type { StampedRead } from '../../reads/stamped-read.ts';
import type { FollowedRows } from '../relations/shown-rows.ts';
import { stampOf } from '../relations/stamp.ts';
import type { ChangeFeed } from './feed.ts';
import type { FeedSession } from './feed-session.ts';

/** Finding out whether a stamp can be taken takes so long at most. */
const TRIAL = { timeoutMs: 1000 };

/** So many are remembered: what callers are shown has another one when policies change. */
const MOST_TRIALS = 1000;

/** Where it cannot, that is tried again after so many milliseconds. */
const TRY_AGAIN_MS = 10_000;

/** An attempt to take a stamp of a relation on the connections that read pages. */
interface Trial {
  readonly lock: SessionStatement;
  succeeded: boolean;
  endedAt: number | undefined;
}

/**
 * Begins reads of followed relations. The feed may use another role than these reads, and their
 * connections may lead to another server, so a stamp of each relation is first taken as a trial.
 */
export class StampedReads {
  readonly #feed: ChangeFeed;
  readonly #database: Database;
  readonly #dialect: Dialect;
  readonly #trials = new LRUCache<string, Trial>({ max: MOST_TRIALS });

  constructor(feed: ChangeFeed, database: Database, dialect: Dialect) {
    this.#feed = feed;
    this.#database = database;
    this.#dialect = dialect;
  }

  /** What follows rows whose reads have versions of their own at the moment; undefined: nothing. */
  sessionOf(rows: FollowedRows): FeedSession | undefined {
    const session = this.#feed.start();
    return session?.follows(rows) === true && this.#trialOf(rows).succeeded ? session : undefined;
  }

  /** What is known of lists in a snapshot that is taken for this. */
  async states(
    rows: FollowedRows,
    conditions: readonly (Condition | undefined)[],
  ): Promise<FollowedStates | undefined> {
    const session = this.sessionOf(rows);
    if (session === undefined) return undefined;
    const { found, version } = await this.#database.versions.of(async () => {
      const states = await session.states(rows, conditions);
      return { found: states, version: states?.version };
    });
    return found && version !== undefined ? { ...found, version } : undefined;
  }

  /**
   * Does work as a read. Where the rows are followed at the moment, `work` gets the lock and the
   * stamp with which its transaction has to begin.
   */
  async during<Value>(
    rows: FollowedRows,
    work: (read: StampedRead | undefined) => Promise<Value>,
  ): Promise<Value> {
    const read = this.sessionOf(rows)?.beginRead(rows);
    if (read === undefined) return work(undefined);
    const trial = this.#trialOf(rows);
    try {
      const { stamp } = read;
      const moment: StampedRead['moment'] = (row, ask) => {
        if (!stampOf(row).showsSame) fail(trial);
        return read.moment(row, ask);
      };
      return await work({ lock: trial.lock, stamp, moment });
    } catch (error) {
      if (isRefusal(error)) this.#trials.delete(nameOf(rows));
      throw error;
    } finally {
      read.end();
    }
  }

  #trialOf(rows: FollowedRows): Trial {
    const name = nameOf(rows);
    const known = this.#trials.get(name);
    if (known !== undefined) {
      const isOver = known.endedAt !== undefined && !known.succeeded;
      if (!isOver || performance.now() - (known.endedAt ?? 0) < TRY_AGAIN_MS) return known;
    }
    const statement = compile(lockRelations([sql.id(...rows.relation)]), this.#dialect);
    const trial = { lock: { statement, named: false }, succeeded: false, endedAt: undefined };
    this.#trials.set(name, trial);
    void this.#try(rows, trial);
    return trial;
  }

  async #try(rows: FollowedRows, trial: Trial): Promise<void> {
    const read = this.#feed.start()?.beginRead(rows);
    try {
      if (read === undefined) return;
      // The session of a caller begins with a lock of its own.
      const locks = rows.shown === undefined ? [trial.lock] : [];
      const session = rows.shown?.session;
      const answers = await Deadlines.withDeadline(TRIAL, (call) =>
        this.#database.askTogether([...locks, read.stamp], { ...call, session }),
      );
      trial.succeeded = stampOf(answers.at(-1) ?? []).showsSame;
    } catch {
      // The relation is read as without the feed.
    } finally {
      read?.end();
      trial.endedAt = performance.now();
    }
  }
}

/** By what it depends on: callers of a role have the same rights, whatever their settings. */
function nameOf({ relation, shown }: FollowedRows): string {
  return JSON.stringify([relation, shown?.session.role, shown?.definition]);
}

/** Nothing can be followed before another trial. */
function fail(trial: Trial): void {
  trial.succeeded = false;
  trial.endedAt = performance.now();
}

/**
 * Whether the error may mean that a right or an object which stamps need is gone, so that a new
 * trial is due.
 */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof QueryFailedError &&
    ['schema_changed', 'model_unreadable', 'session_refused'].includes(error.code)
  );
}
