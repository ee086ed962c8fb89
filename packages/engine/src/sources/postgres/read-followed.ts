import type { Statement } from '../../sql/statement.ts';
import type { MomentWork, ReadCall, Versioned } from '../source.ts';
import type { Database } from './database.ts';
import type { StampedRead } from './feed/stamped-reads.ts';
import { inOrder } from './running-work.ts';
import { snapshotOf } from './snapshot.ts';

/** Work in a snapshot of a relation that is followed. */
export interface FollowedWork<Read extends Versioned> {
  readonly stamped: StampedRead;
  /** Reads the version of the data. */
  readonly version: Statement;
  readonly work: MomentWork<Read>;
}

/** Undefined where the changes were not followed up to the snapshot in time. */
export async function readFollowed<Read extends Versioned>(
  database: Database,
  { stamped, version, work }: FollowedWork<Read>,
  call: ReadCall,
): Promise<Read | undefined> {
  const seen = await database.versions.of(async () => {
    const read = await database.inSnapshot(async (ask) => {
      const [, stamp] = await inOrder([ask(stamped.lock), ask(stamped.stamp)]);
      const moment = await stamped.moment(stamp);
      return moment && work(snapshotOf(ask, version), moment);
    }, call);
    return { read, version: read?.version };
  });
  return seen.read && { ...seen.read, version: seen.version };
}
