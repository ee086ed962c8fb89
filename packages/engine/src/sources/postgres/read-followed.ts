import type { Statement } from '../../sql/statement.ts';
import type { KeySnapshot, MomentWork, ReadCall, Versioned } from '../source.ts';
import type { Database } from './database.ts';
import type { StampedRead } from './feed/stamped-reads.ts';
import { type Ask, inOrder } from './running-work.ts';
import { bindKeys, keyRows } from './read-keys.ts';
import { snapshotOf } from './snapshot.ts';

/** Work in a snapshot of a relation that is followed. */
export interface FollowedReading<Read extends Versioned> {
  readonly stamped: StampedRead;
  /** Reads the version of the data. */
  readonly version: Statement;
  readonly work: MomentWork<Read>;
}

/** Undefined where the changes were not followed up to the snapshot in time. */
export async function readFollowed<Read extends Versioned>(
  database: Database,
  { stamped, version, work }: FollowedReading<Read>,
  call: ReadCall,
): Promise<Read | undefined> {
  const seen = await database.versions.of(async () => {
    const read = await database.inSnapshot(async (ask) => {
      const [, stamp] = await inOrder([ask(stamped.lock), ask(stamped.stamp)]);
      const moment = await stamped.moment(stamp);
      return moment && work({ ...snapshotOf(ask, version), keys: keysBy(ask) }, moment);
    }, call);
    return { read, version: read?.version };
  });
  return seen.read && { ...seen.read, version: seen.version };
}

function keysBy(ask: Ask): KeySnapshot['keys'] {
  return async (read) => {
    const [rows] = await ask({ statement: bindKeys(read.keys, read), named: false });
    return { rows: keyRows(rows) };
  };
}
