import type { ReadCall, Statement, Versioned } from '@proj/engine/database';
import type { KeySnapshot, MomentWork, RelationMoment } from '@proj/engine/following';

import type { Row } from '../../connection/connection.ts';
import type { Database } from '../../connection/database.ts';
import { type Ask, inOrder } from '../../connection/running-work.ts';
import type { SessionStatement } from '../../connection/session.ts';
import type { ListedRelation } from '../lists/ordered-lists.ts';
import { SeenMoment } from '../lists/seen-moment.ts';
import type { FollowedRelation } from '../relations/followed-relations.ts';
import { type FollowedRows, stampOf, stampOfRows, VERSION_OF_CALLER } from '../relations/stamp.ts';
import { keptRows } from '../../reads/kept-rows.ts';
import { bindKeys, keyRows, SORT_LAST } from '../../reads/read-keys.ts';
import { snapshotOf } from '../../reads/snapshot.ts';
import type { StampedRead } from '../../reads/stamped-read.ts';
import type { FeedSession } from './feed-session.ts';

/** Milliseconds that a read of a known list waits for the log before it counts and skips rows. */
const PATIENCE_MS = 100;

/** Begins before its snapshot is taken. Undefined where the rows are not followed yet. */
export function beginRead(
  session: FeedSession | undefined,
  rows: FollowedRows,
): FollowedRead | undefined {
  const followed = session?.followed(rows);
  return session && followed && new FollowedRead(session, rows, followed);
}

export class FollowedRead {
  readonly stamp: SessionStatement;
  readonly end: () => void;
  readonly #session: FeedSession;
  readonly #rows: FollowedRows;
  readonly #followed: FollowedRelation;

  constructor(session: FeedSession, rows: FollowedRows, followed: FollowedRelation) {
    this.stamp = { ...stampOfRows(followed.schema.stamp, rows), named: true };
    this.#session = session;
    this.#rows = rows;
    this.#followed = followed;
    this.end = followed.log.beginRead();
  }

  /** Undefined where the feed is late or the schema changed. `ask` asks in the open snapshot. */
  async moment(stampRow: Row, ask?: Ask): Promise<RelationMoment | undefined> {
    const followed = this.#followed;
    const stamp = stampOf(stampRow);
    if (!followed.describes(stamp)) {
      if (followed.isOn(stamp)) this.#session.look(this.#rows.relation);
      return undefined;
    }
    const patienceMs = ask && PATIENCE_MS;
    if (!stamp.showsSame || !(await this.#session.reach(stamp.insertLsn, patienceMs)))
      return undefined;
    followed.log.noteSnapshot(stamp.snapshot);
    const version = followed.version(stamp.snapshot);
    if (version === undefined) return undefined;
    const { ordered, filtered } = this.#session;
    const { snapshot } = stamp;
    return new SeenMoment({ relation: this.#listed(), snapshot, version, ordered, filtered, ask });
  }

  #listed(): ListedRelation {
    const followed = this.#followed;
    const { relation: path, shown } = this.#rows;
    const { relation } = followed.schema;
    return {
      ...relation,
      path,
      token: followed.tokenOf(shown),
      shown,
      hasOwnTypes: relation.types.length > 0,
      log: followed.log,
      // The feed, which asks it too, need not have the service's rights.
      stamp: shown === undefined ? followed.schema.stamp : this.stamp,
      describes: (stamp) => followed.describes(stamp) && stamp.showsSame,
    };
  }
}

interface FollowedReading<Read extends Versioned> {
  readonly stamped: StampedRead;
  readonly version: Statement;
  readonly work: MomentWork<Read>;
}

/** Undefined where changes were not followed up to the snapshot in time. */
export async function readFollowed<Read extends Versioned>(
  database: Database,
  { stamped, version, work }: FollowedReading<Read>,
  call: ReadCall,
): Promise<Read | undefined> {
  const isCaller = call.session !== undefined;
  const seen = await database.versioned(async (noted) => {
    let ofCaller: string | undefined;
    const read = await database.inSnapshot(async (ask) => {
      // A caller's session begins with its own lock.
      const locked = isCaller ? Promise.resolve() : ask(stamped.lock);
      const [, stamp] = await inOrder([locked, ask(stamped.stamp)]);
      ofCaller = stamp[VERSION_OF_CALLER] ?? undefined;
      const moment = await stamped.moment(stamp, ask);
      return moment && work({ ...snapshotOf(ask, version), ...keysBy(ask) }, moment);
    }, noted);
    return { read, version: isCaller ? ofCaller : read?.version };
  }, call);
  return seen.read && { ...seen.read, version: seen.version };
}

function keysBy(ask: Ask): Pick<KeySnapshot, 'keys' | 'estimateSort'> {
  const askIndexed = async (statement: Statement): Promise<Row> => {
    const asked = [INDEX_FIRST, statement].map(ask);
    return (await inOrder(asked))[1] ?? [];
  };
  return {
    async keys(read) {
      const [rows] = await askIndexed(bindKeys(read.keys, read));
      return { rows: keyRows(rows) };
    },
    async estimateSort(read) {
      const { sql, parameters } = bindKeys(read.rows, read);
      const [plan] = await askIndexed({ sql: `explain (format json) ${sql}`, parameters });
      return keptRows(plan ?? '[]');
    },
  };
}

const INDEX_FIRST: Statement = { sql: SORT_LAST, parameters: [] };
