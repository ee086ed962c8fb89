import {
  compile,
  Deadlines,
  type Dialect,
  QueryFailedError,
  type RelationPath,
} from '@proj/engine/database';
import type { Condition, FollowedStates } from '@proj/engine/following';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';

import type { Database } from '../../connection/database.ts';
import { lockRelations } from '../../connection/lock.ts';
import type { SessionStatement } from '../../connection/session.ts';
import type { StampedRead } from '../../reads/stamped-read.ts';
import type { ShownRows } from '../relations/shown-rows.ts';
import { stampOf } from '../relations/stamp.ts';
import type { ChangeFeed } from './feed.ts';

/** Finding out whether a stamp can be taken takes so long at most. */
const TRIAL = { timeoutMs: 1000 };

/** So many are remembered: what callers are shown has another one when policies change. */
const MOST_TRIALS = 1000;

/** Where it cannot, that is tried again after so many milliseconds. */
const TRY_AGAIN_MS = 10_000;

/** What is read. */
interface ReadRelation {
  readonly relation: RelationPath;
  /** Undefined where the service reads it. */
  readonly shown: ShownRows | undefined;
}

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

  /** Whether reads of a relation have versions of their own at the moment. */
  follows(relation: RelationPath, shown?: ShownRows): boolean {
    return this.#feed.follows(relation, shown) && this.#trialOf({ relation, shown }).succeeded;
  }

  /** Whether such reads know how many rows meet a condition, or how many there are. */
  hasTotal(relation: RelationPath, condition?: Condition, shown?: ShownRows): boolean {
    return this.follows(relation, shown) && this.#feed.hasTotal(relation, condition, shown);
  }

  /** What is known of lists of a relation in a snapshot that is taken for this. */
  async states(...asked: Parameters<ChangeFeed['states']>): Promise<FollowedStates | undefined> {
    const [relation, , shown] = asked;
    if (!this.follows(relation, shown)) return undefined;
    const { found, version } = await this.#database.versions.of(async () => {
      const states = await this.#feed.states(...asked);
      return { found: states, version: states?.version };
    });
    return found && version !== undefined ? { ...found, version } : undefined;
  }

  /**
   * Does work as a read of a relation. Where the relation is followed at the moment, `work` gets
   * the lock and the stamp with which its transaction has to begin.
   */
  async during<Value>(
    relation: RelationPath,
    work: (read: StampedRead | undefined) => Promise<Value>,
    shown?: ShownRows,
  ): Promise<Value> {
    const isFollowed = this.follows(relation, shown);
    const read = isFollowed ? this.#feed.beginRead(relation, shown) : undefined;
    if (read === undefined) return work(undefined);
    const trial = this.#trialOf({ relation, shown });
    try {
      const { stamp } = read;
      const moment: StampedRead['moment'] = (row, ask) => {
        if (!stampOf(row).showsSame) fail(trial);
        return read.moment(row, ask);
      };
      return await work({ lock: trial.lock, stamp, moment });
    } catch (error) {
      if (isRefusal(error)) this.#trials.delete(nameOf({ relation, shown }));
      throw error;
    } finally {
      read.end();
    }
  }

  #trialOf(read: ReadRelation): Trial {
    const name = nameOf(read);
    const known = this.#trials.get(name);
    if (known !== undefined) {
      const isOver = known.endedAt !== undefined && !known.succeeded;
      if (!isOver || performance.now() - (known.endedAt ?? 0) < TRY_AGAIN_MS) return known;
    }
    const statement = compile(lockRelations([sql.id(...read.relation)]), this.#dialect);
    const trial = { lock: { statement, named: false }, succeeded: false, endedAt: undefined };
    this.#trials.set(name, trial);
    void this.#try(read, trial);
    return trial;
  }

  async #try({ relation, shown }: ReadRelation, trial: Trial): Promise<void> {
    const read = this.#feed.beginRead(relation, shown);
    try {
      if (read === undefined) return;
      // The session of a caller begins with a lock of its own.
      const locks = shown === undefined ? [trial.lock] : [];
      const session = shown?.session;
      const rows = await Deadlines.withDeadline(TRIAL, (call) =>
        this.#database.askTogether([...locks, read.stamp], { ...call, session }),
      );
      trial.succeeded = stampOf(rows.at(-1) ?? []).showsSame;
    } catch {
      // The relation is read as without the feed.
    } finally {
      read?.end();
      trial.endedAt = performance.now();
    }
  }
}

/** By what it depends on: callers of a role have the same rights, whatever their settings. */
function nameOf({ relation, shown }: ReadRelation): string {
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
