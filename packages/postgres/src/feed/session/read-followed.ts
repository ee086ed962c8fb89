import type { ReadCall, Statement, Versioned } from '@proj/engine/database';
import type { KeySnapshot, MomentWork } from '@proj/engine/following';

import type { Database } from '../../connection/database.ts';
import { VERSION_OF_CALLER } from '../relations/shown-rows.ts';
import type { StampedRead } from '../../reads/stamped-read.ts';
import { type Ask, inOrder } from '../../connection/running-work.ts';
import type { Row } from '../../connection/connection.ts';
import { keptRows } from '../../reads/kept-rows.ts';
import { bindKeys, keyRows, SORT_LAST } from '../../reads/read-keys.ts';
import { snapshotOf } from '../../reads/snapshot.ts';

export interface FollowedReading<Read extends Versioned> {
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
