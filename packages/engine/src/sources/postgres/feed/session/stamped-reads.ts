import { sql } from 'kysely';

import { withDeadline } from '../../../../deadline.ts';
import { QueryFailedError } from '../../../../errors.ts';
import type { Condition } from '../../../../planning/condition.ts';
import { compile } from '../../../../sql/compile/compile.ts';
import type { Dialect } from '../../../../sql/dialect.ts';
import type { RelationPath } from '../../../../catalogue/relation.ts';
import type { FollowedChanges, FollowedStates, RelationMoment } from '../../../source.ts';
import type { Row } from '../../connection/connection.ts';
import type { Database } from '../../connection/database.ts';
import { lockRelations } from '../../connection/lock.ts';
import type { Ask } from '../../connection/running-work.ts';
import type { SessionStatement } from '../../connection/session.ts';
import type { ChangeFeed } from './feed.ts';

/** Finding out whether a stamp can be taken takes so long at most. */
const TRIAL = { timeoutMs: 1000 };

/** Where it cannot, that is tried again after so many milliseconds. */
const TRY_AGAIN_MS = 10_000;

/** A read of a followed relation, in a transaction that begins with its two statements. */
export interface StampedRead {
  /** Taken before the snapshot, since older snapshots see a `truncate` as soon as it commits. */
  readonly lock: SessionStatement;
  readonly stamp: SessionStatement;
  /**
   * The version, totals and page indexes of the relation in the snapshot of the stamp; undefined
   * where the feed is too late, or the snapshot cannot be used.
   *
   * @param ask asks in that snapshot, while its transaction goes on. Default: it has ended
   */
  moment(stampRow: Row, ask?: Ask): Promise<RelationMoment | undefined>;
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
  readonly #trials = new Map<string, Trial>();

  constructor(feed: ChangeFeed, database: Database, dialect: Dialect) {
    this.#feed = feed;
    this.#database = database;
    this.#dialect = dialect;
  }

  /** Whether reads of a relation have versions of their own at the moment. */
  follows(relation: RelationPath): boolean {
    return this.#feed.follows(relation) && this.#trialOf(relation).succeeded;
  }

  /** Whether such reads know how many rows meet a condition, or how many there are. */
  hasTotal(relation: RelationPath, condition?: Condition): boolean {
    return this.follows(relation) && this.#feed.hasTotal(relation, condition);
  }

  /** What is known of lists of a relation in a snapshot that is taken for this. */
  async states(
    ...[relation, conditions]: Parameters<FollowedChanges['states']>
  ): Promise<FollowedStates | undefined> {
    if (!this.follows(relation)) return undefined;
    const { found, version } = await this.#database.versions.of(async () => {
      const states = await this.#feed.states(relation, conditions);
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
  ): Promise<Value> {
    const read = this.follows(relation) ? this.#feed.beginRead(relation) : undefined;
    if (read === undefined) return work(undefined);
    const trial = this.#trialOf(relation);
    try {
      const { stamp } = read;
      return await work({ lock: trial.lock, stamp, moment: (row, ask) => read.moment(row, ask) });
    } catch (error) {
      if (isRefusal(error)) this.#trials.delete(JSON.stringify(relation));
      throw error;
    } finally {
      read.end();
    }
  }

  #trialOf(relation: RelationPath): Trial {
    const name = JSON.stringify(relation);
    const known = this.#trials.get(name);
    if (known !== undefined) {
      const isOver = known.endedAt !== undefined && !known.succeeded;
      if (!isOver || performance.now() - (known.endedAt ?? 0) < TRY_AGAIN_MS) return known;
    }
    const statement = compile(lockRelations([sql.id(...relation)]), this.#dialect);
    const trial = { lock: { statement, named: false }, succeeded: false, endedAt: undefined };
    this.#trials.set(name, trial);
    void this.#try(relation, trial);
    return trial;
  }

  async #try(relation: RelationPath, trial: Trial): Promise<void> {
    const read = this.#feed.beginRead(relation);
    try {
      if (read === undefined) return;
      await withDeadline(TRIAL, (call) =>
        this.#database.askTogether([trial.lock, read.stamp], call),
      );
      trial.succeeded = true;
    } catch {
      // The relation is read as without the feed.
    } finally {
      read?.end();
      trial.endedAt = performance.now();
    }
  }
}

/**
 * Whether the error may mean that a right or an object which stamps need is gone, so that a new
 * trial is due.
 */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof QueryFailedError &&
    (error.code === 'schema_changed' || error.code === 'model_unreadable')
  );
}
