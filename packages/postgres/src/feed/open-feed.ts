import type {
  Dialect,
  RelationPath,
  SnapshotTerms,
  Statement,
  StatementSession,
  Versioned,
} from '@proj/engine/database';
import type {
  Condition,
  FollowedChanges,
  FollowedStates,
  MomentWork,
} from '@proj/engine/following';

import type { Database } from '../connection/database.ts';
import { readPostgresUrl } from '../connection/url.ts';
import type { StampedRead } from '../reads/stamped-read.ts';
import { ExportedReads } from './lists/base-reads.ts';
import { type FollowedRows, shownRows } from './relations/shown-rows.ts';
import { ChangeFeed } from './session/feed.ts';
import type { FeedBounds } from './session/feed-session.ts';
import { type FollowedServerSettings, feedTargetOf } from './session/followed-server.ts';
import { readFollowed } from './session/read-followed.ts';
import { StampedReads } from './session/stamped-reads.ts';

export type { FeedBounds } from './session/feed-session.ts';
export {
  type FollowedServerSettings,
  notFollowable,
  readFollowReport,
} from './session/followed-server.ts';

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

export class OpenFeed implements FollowedChanges {
  readonly feed: ChangeFeed;
  readonly #terms: FeedTerms;
  readonly #stamped: StampedReads;

  constructor(terms: FeedTerms) {
    const { settings, bounds, bases, checks, dialect } = terms;
    const { url, publication, setting, heldMs } = feedTargetOf(settings);
    const filtered = { reads: new ExportedReads(bases, dialect), heldMs };
    this.feed = new ChangeFeed({
      address: readPostgresUrl(url, setting),
      publication,
      bounds,
      filtered: heldMs === 0 ? undefined : filtered,
    });
    this.#terms = terms;
    this.#stamped = new StampedReads(this.feed, checks, dialect);
  }

  /** Reads relations. A single followed one gives a stamp, of the rows shown to the service. */
  asRead<Value>(
    { relations = [], session }: Pick<SnapshotTerms, 'relations' | 'session'>,
    work: (stamped: StampedRead | undefined) => Promise<Value>,
  ): Promise<Value> {
    const [relation, ...others] = relations;
    if (relation === undefined || others.length > 0 || session !== undefined)
      return work(undefined);
    const rows = this.#rowsOf(relation);
    return rows === undefined ? work(undefined) : this.#stamped.during(rows, work);
  }

  follows(relation: RelationPath, session?: StatementSession): boolean {
    const rows = this.#rowsOf(relation, session);
    return rows !== undefined && this.#stamped.sessionOf(rows) !== undefined;
  }

  knowsTotal(relation: RelationPath, condition?: Condition, session?: StatementSession): boolean {
    const rows = this.#rowsOf(relation, session);
    return rows !== undefined && this.#stamped.sessionOf(rows)?.hasTotal(rows, condition) === true;
  }

  async during<Seen extends Versioned>(
    relation: RelationPath,
    work: MomentWork<Seen>,
    { isBackground = false, ...call }: Parameters<FollowedChanges['during']>[2],
  ): Promise<Seen | undefined> {
    const { database, background, version } = this.#terms;
    const pool = isBackground ? background : database;
    const rows = this.#rowsOf(relation, call.session);
    if (rows === undefined) return undefined;
    return this.#stamped.during(
      rows,
      async (stamped) => stamped && readFollowed(pool, { stamped, version, work }, call),
    );
  }

  async states(
    relation: RelationPath,
    conditions: readonly (Condition | undefined)[],
    session?: StatementSession,
  ): Promise<FollowedStates | undefined> {
    const rows = this.#rowsOf(relation, session);
    return rows && this.#stamped.states(rows, conditions);
  }

  close(): void {
    this.feed.close();
  }

  #rowsOf(relation: RelationPath, session?: StatementSession): FollowedRows | undefined {
    const shown = session && shownRows(session);
    const isKnown = session === undefined || shown !== undefined;
    return isKnown && this.#terms.isOfOneServer(relation) ? { relation, shown } : undefined;
  }
}
