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

/** In milliseconds, to try a stamp. */
const TRIAL = { timeoutMs: 1000 };

/** Trials kept: changed policies give shown rows another one. */
const MOST_TRIALS = 1000;

/** In milliseconds, after a failed trial. */
const TRY_AGAIN_MS = 10_000;

/** Tries a relation's stamp on the connections that read pages. */
interface Trial {
  readonly lock: SessionStatement;
  succeeded: boolean;
  endedAt: number | undefined;
}

/** Begins reads of followed relations, after a trial: the feed's role or server may differ. */
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

  sessionOf(rows: FollowedRows): FeedSession | undefined {
    const session = this.#feed.start();
    return session?.follows(rows) === true && this.#trialOf(rows).succeeded ? session : undefined;
  }

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

  /** If the rows are followed, `work` gets the lock and stamp that must begin its transaction. */
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
      // A caller's session begins with its own lock.
      const locks = rows.shown === undefined ? [trial.lock] : [];
      const session = rows.shown?.session;
      const answers = await Deadlines.withDeadline(TRIAL, (call) =>
        this.#database.askTogether([...locks, read.stamp], { ...call, session }),
      );
      trial.succeeded = stampOf(answers.at(-1) ?? []).showsSame;
    } catch {
      // The relation is read without the feed.
    } finally {
      read?.end();
      trial.endedAt = performance.now();
    }
  }
}

/** Callers of a role share rights, whatever their settings. */
function nameOf({ relation, shown }: FollowedRows): string {
  return JSON.stringify([relation, shown?.session.role, shown?.definition]);
}

function fail(trial: Trial): void {
  trial.succeeded = false;
  trial.endedAt = performance.now();
}

/** Whether stamps may lack a right or object, so that a new trial is due. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof QueryFailedError &&
    ['schema_changed', 'model_unreadable', 'session_refused'].includes(error.code)
  );
}
