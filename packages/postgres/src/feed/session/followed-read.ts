import type { RelationPath } from '@proj/engine/database';
import type { RelationMoment } from '@proj/engine/following';

import type { Row } from '../../connection/connection.ts';
import type { Ask } from '../../connection/running-work.ts';
import type { SessionStatement } from '../../connection/session.ts';
import type { FollowedRelation } from '../relations/followed-relation.ts';
import type { Lsn } from '../../log/lsn.ts';
import type { OrderedLists } from '../lists/ordered-lists.ts';
import type { FilteredLists } from '../lists/filtered-lists.ts';
import type { ListedRelation } from '../lists/listed-order.ts';
import type { RelationLog, RunningRead } from '../changes/relation-log.ts';
import { SeenMoment } from '../lists/seen-moment.ts';
import { type FollowedRows, stampOfRows } from '../relations/shown-rows.ts';
import { stampOf } from '../relations/stamp.ts';

/** Milliseconds that a read of a known list waits for the log before it counts and skips rows. */
const PATIENCE_MS = 100;

interface FollowedReadParts {
  readonly session: ReadSession;
  readonly rows: FollowedRows;
  readonly followed: FollowedRelation;
  readonly log: RelationLog;
}

export interface ReadSession {
  /** False after `giveUpMs` milliseconds. Default: a fraction of what a count takes. */
  reach(insertLsn: Lsn, giveUpMs?: number): Promise<boolean>;
  look(relation: RelationPath): void;
  readonly ordered: OrderedLists;
  readonly filtered: FilteredLists | undefined;
}

/** Begins before its snapshot is taken. */
export class FollowedRead {
  /** Takes the stamp in the read's snapshot. */
  readonly stamp: SessionStatement;
  readonly #parts: FollowedReadParts;
  readonly #running: RunningRead;

  constructor(parts: FollowedReadParts) {
    const { rows, followed, log } = parts;
    this.stamp = { ...stampOfRows(followed.schema.stamp, rows), named: true };
    this.#parts = parts;
    this.#running = log.beginRead();
  }

  /** Undefined where the feed is late or the schema changed. `ask` asks in the open snapshot. */
  async moment(stampRow: Row, ask?: Ask): Promise<RelationMoment | undefined> {
    const { session, rows, followed, log } = this.#parts;
    const stamp = stampOf(stampRow);
    if (!followed.describes(stamp)) {
      if (followed.isOn(stamp)) session.look(rows.relation);
      return undefined;
    }
    const patienceMs = ask && PATIENCE_MS;
    if (!stamp.showsSame || !(await session.reach(stamp.insertLsn, patienceMs))) return undefined;
    log.noteSnapshot(stamp.snapshot);
    const version = followed.version(stamp);
    if (version === undefined) return undefined;
    const { ordered, filtered } = session;
    const { snapshot } = stamp;
    return new SeenMoment({ relation: this.#listed(), snapshot, version, ordered, filtered, ask });
  }

  end(): void {
    this.#parts.log.endRead(this.#running);
  }

  #listed(): ListedRelation {
    const { rows, followed, log } = this.#parts;
    const { relation: path, shown } = rows;
    const { key, isSeekable, columns, types } = followed.schema.relation;
    return {
      path,
      token: followed.tokenOf(shown),
      shown,
      key,
      isSeekable,
      columns,
      hasOwnTypes: types.length > 0,
      log,
      stamp: this.stamp,
      describes: (stamp) => followed.describes(stamp) && stamp.showsSame,
    };
  }
}
