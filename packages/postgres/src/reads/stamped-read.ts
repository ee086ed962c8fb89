import type { RelationMoment } from '@proj/engine/following';

import type { Row } from '../connection/connection.ts';
import type { Ask } from '../connection/running-work.ts';
import type { SessionStatement } from '../connection/session.ts';

/** A read of a followed relation, in a transaction that begins with its two statements. */
export interface StampedRead {
  /** Precedes the snapshot: older snapshots see a TRUNCATE as soon as it commits. */
  readonly lock: SessionStatement;
  readonly stamp: SessionStatement;
  /** Undefined where the feed is late or the snapshot unusable. `ask` asks in the open snapshot. */
  moment(stampRow: Row, ask?: Ask): Promise<RelationMoment | undefined>;
}
