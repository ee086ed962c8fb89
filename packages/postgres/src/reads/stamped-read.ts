import type { RelationMoment } from '@proj/engine/following';

import type { Row } from '../connection/connection.ts';
import type { Ask } from '../connection/running-work.ts';
import type { SessionStatement } from '../connection/session.ts';

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
