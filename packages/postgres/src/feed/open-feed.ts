import {
  compile,
  Deadlines,
  type Dialect,
  QueryFailedError,
  type RelationPath,
  type SnapshotTerms,
  type Statement,
  type StatementSession,
  type Versioned,
} from '@proj/engine/database';
import type {
  Condition,
  FollowedChanges,
  FollowedStates,
  MomentWork,
} from '@proj/engine/following';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';

import type { Database } from '../connection/database.ts';
import { lockRelations } from '../connection/lock.ts';
import type { SessionStatement } from '../connection/session.ts';
import { readPostgresUrl } from '../connection/url.ts';
import type { StampedRead } from '../reads/stamped-read.ts';
import { type FollowedRows, shownRows, stampOf } from './relations/stamp.ts';
import { ChangeFeed } from './session/feed.ts';
import type { FeedBounds, FeedSession } from './session/feed-session.ts';
import { beginRead, type FollowedRead, readFollowed } from './session/followed-read.ts';
import { type FollowedServerSettings, feedTargetOf } from './session/followed-server.ts';

export type { FeedBounds } from './session/feed-session.ts';
export {
  type FollowedServerSettings,
  notFollowable,
  readFollowReport,
} from './session/followed-server.ts';

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
}

export interface FeedTerms {
  readonly settings: FollowedServerSettings;
  /** Default: those of {@link ChangeFeed}. */
  readonly bounds: FeedBounds | undefined;
  readonly database: Database;
  readonly background: Database;
  /** Tries versions and stamps. */
  readonly checks: Database;
  /** Asks base snapshots. */
  readonly bases: Database;
  readonly dialect: Dialect;
  readonly version: Statement;
  /** Whether one server answers for a relation: stamp and rows take two statements. */
  readonly isOfOneServer: (relation: RelationPath) => boolean;
}

/** Begins reads of followed relations, after a trial: the feed's role or server may differ. */
export class OpenFeed implements FollowedChanges {
  readonly feed: ChangeFeed;
  readonly #terms: FeedTerms;
  readonly #trials = new LRUCache<string, Trial>({ max: MOST_TRIALS });

  constructor(terms: FeedTerms) {
    const { settings, bounds, bases, dialect } = terms;
    const { url, publication, setting, heldMs } = feedTargetOf(settings);
    this.feed = new ChangeFeed({
      address: readPostgresUrl(url, setting),
      publication,
      bounds,
      filtered: heldMs === 0 ? undefined : { bases, dialect, heldMs },
    });
    this.#terms = terms;
  }

  /** Reads relations. A single followed one gives a stamp, of the rows shown to the service. */
  asRead<Value>(
    { relations = [], session, mayCall }: Pick<SnapshotTerms, 'relations' | 'session' | 'mayCall'>,
    work: (stamped: StampedRead | undefined) => Promise<Value>,
  ): Promise<Value> {
    const [relation, ...others] = relations;
    const isAlone = others.length === 0 && session === undefined && mayCall !== true;
    return this.#stamped(relation && isAlone ? this.#rowsOf(relation) : undefined, work);
  }

  follows(relation: RelationPath, session?: StatementSession): boolean {
    return this.#sessionOf(this.#rowsOf(relation, session)) !== undefined;
  }

  knowsTotal(relation: RelationPath, condition?: Condition, session?: StatementSession): boolean {
    const rows = this.#rowsOf(relation, session);
    return rows !== undefined && this.#sessionOf(rows)?.hasTotal(rows, condition) === true;
  }

  async during<Seen extends Versioned>(
    relation: RelationPath,
    work: MomentWork<Seen>,
    { isBackground = false, ...call }: Parameters<FollowedChanges['during']>[2],
  ): Promise<Seen | undefined> {
    const { database, background, version } = this.#terms;
    const pool = isBackground ? background : database;
    return this.#stamped(
      this.#rowsOf(relation, call.session),
      async (stamped) => stamped && readFollowed(pool, { stamped, version, work }, call),
    );
  }

  async states(
    relation: RelationPath,
    conditions: readonly (Condition | undefined)[],
    shownTo?: StatementSession,
  ): Promise<FollowedStates | undefined> {
    const rows = this.#rowsOf(relation, shownTo);
    const session = this.#sessionOf(rows);
    if (rows === undefined || session === undefined) return undefined;
    const { found, version } = await this.#terms.checks.versions.of(async () => {
      const states = await session.states(rows, conditions);
      return { found: states, version: states?.version };
    });
    return found && version !== undefined ? { ...found, version } : undefined;
  }

  close(): void {
    this.feed.close();
  }

  #rowsOf(relation: RelationPath, session?: StatementSession): FollowedRows | undefined {
    const shown = session && shownRows(session);
    const isKnown = session === undefined || shown !== undefined;
    return isKnown && this.#terms.isOfOneServer(relation) ? { relation, shown } : undefined;
  }

  #sessionOf(rows: FollowedRows | undefined): FeedSession | undefined {
    if (rows === undefined) return undefined;
    const session = this.feed.start();
    return session?.followed(rows) && this.#trialOf(rows).succeeded ? session : undefined;
  }

  /** If the rows are followed, `work` gets the lock and stamp that must begin its transaction. */
  async #stamped<Value>(
    rows: FollowedRows | undefined,
    work: (read: StampedRead | undefined) => Promise<Value>,
  ): Promise<Value> {
    const read = rows && beginRead(this.#sessionOf(rows), rows);
    if (rows === undefined || read === undefined) return work(undefined);
    const trial = this.#trialOf(rows);
    try {
      const { stamp } = read;
      const moment: StampedRead['moment'] = (row, ask) => {
        if (!stampOf(row).showsSame) this.#end(rows, trial, false);
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
    if (known !== undefined) return known;
    const statement = compile(lockRelations([sql.id(...rows.relation)]), this.#terms.dialect);
    const trial = { lock: statement, succeeded: false };
    this.#trials.set(name, trial);
    void this.#try(rows, trial);
    return trial;
  }

  async #try(rows: FollowedRows, trial: Trial): Promise<void> {
    let read: FollowedRead | undefined;
    let succeeded = false;
    try {
      read = beginRead(this.feed.start(), rows);
      if (read === undefined) return;
      const { stamp } = read;
      // A caller's session begins with its own lock.
      const locks = rows.shown === undefined ? [trial.lock] : [];
      const session = rows.shown?.session;
      const answers = await Deadlines.withDeadline(TRIAL, (call) =>
        this.#terms.checks.askTogether([...locks, stamp], { ...call, session }),
      );
      succeeded = stampOf(answers.at(-1) ?? []).showsSame;
    } catch {
      // The relation is read without the feed.
    } finally {
      read?.end();
      this.#end(rows, trial, succeeded);
    }
  }

  #end(rows: FollowedRows, trial: Trial, succeeded: boolean): void {
    trial.succeeded = succeeded;
    if (!succeeded) this.#trials.set(nameOf(rows), trial, { ttl: TRY_AGAIN_MS });
  }
}

/** Callers of a role share rights, whatever their settings. */
function nameOf({ relation, shown }: FollowedRows): string {
  return JSON.stringify([relation, shown?.session.role, shown?.definition]);
}

/** Whether stamps may lack a right or object, so that a new trial is due. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof QueryFailedError &&
    ['schema_changed', 'model_unreadable', 'session_refused'].includes(error.code)
  );
}
