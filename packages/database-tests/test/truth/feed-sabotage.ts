import { vi } from 'vitest';

import type { RelationChange } from '../../../postgres/src/feed/changes/transactions.ts';
import { FollowedRelation } from '../../../postgres/src/feed/relations/followed-relations.ts';
import { BaseReads } from '../../../postgres/src/feed/lists/base-reads.ts';
import { FeedPosition } from '../../../postgres/src/feed/session/position.ts';
import { RelationLog, RunningReads } from '../../../postgres/src/feed/changes/relation-log.ts';
import { TransactionSnapshot } from '../../../postgres/src/log/snapshot.ts';
import { changeMethod } from '../changed-method.ts';
import { FULL_SPEED, OFTEN } from './paces.ts';
import type { Sabotage } from './sabotage.ts';

/** What a change feed may get wrong of the rows that come and go. */
export const FEED_SABOTAGES: readonly Sabotage[] = [
  {
    does: 'the feed counts some changes twice',
    pace: OFTEN,
    commit: () =>
      changeAppending((append, change) => {
        append(change);
        if (change.xid % 8n === 0n) append(change);
      }),
  },
  {
    does: 'the feed forgets some transactions',
    pace: OFTEN,
    commit: () =>
      changeAppending((append, change) => {
        if (change.xid % 8n !== 0n) append(change);
      }),
  },
  {
    does: 'the feed misses that a table was emptied',
    pace: { ...FULL_SPEED, upheavals: ['all anew'] },
    commit: () => {
      changeAppending((append, change) => append({ ...change, truncated: false }));
      // The table has another file then, which shows in its schema.
      vi.spyOn(FollowedRelation.prototype, 'describes').mockReturnValue(true);
    },
  },
  {
    does: 'the feed takes a transaction for visible that was running',
    pace: FULL_SPEED,
    commit: () => {
      vi.spyOn(TransactionSnapshot.prototype, 'sees').mockImplementation(function early(
        this: TransactionSnapshot,
        xid,
      ) {
        return xid <= this.xmax;
      });
    },
  },
  {
    does: 'the feed leaves out rows that keep their key',
    pace: { ...OFTEN, upheavals: ['many move'] },
    commit: () =>
      changeAppending((append, change) =>
        append({ ...change, rows: change.rows.filter((row) => row.stays === undefined) }),
      ),
  },
  {
    does: 'rows are looked up that came after the base snapshot, and not those before it',
    pace: FULL_SPEED,
    commit: () => {
      changeMethod(RelationLog, 'differingKeys', (run, one, other) => {
        const sees = (xid: bigint): boolean => one.sees(xid) || other.sees(xid);
        return run(one, Object.assign(Object.create(other), { sees }));
      });
    },
  },
  {
    does: 'lists move on to another base snapshot as they are',
    pace: { ...OFTEN, upheavals: ['many go', 'many come'] },
    commit: () => {
      changeMethod(BaseReads, 'compareNext', async (run, ...asked) => {
        const found = await run(...asked);
        return found?.map(({ before }) => ({ before, now: before }));
      });
    },
  },
  {
    does: 'rows are looked up where they are now, and not where they were',
    pace: OFTEN,
    commit: () => {
      changeMethod(BaseReads, 'compare', async (run, ...asked) => {
        const found = await run(...asked);
        return found?.map(({ now }) => ({ before: { count: 0, keys: [] }, now }));
      });
    },
  },
  {
    does: 'a read does not wait for the log',
    pace: FULL_SPEED,
    commit: () => void vi.spyOn(FeedPosition.prototype, 'reach').mockResolvedValue(true),
  },
  {
    does: 'changes are folded that an older read does not see',
    pace: FULL_SPEED,
    commit: () => {
      vi.spyOn(TransactionSnapshot.prototype, 'seesAllOf').mockReturnValue(true);
      let latest: TransactionSnapshot | undefined;
      changeMethod(RunningReads, 'note', (run, snapshot) => {
        latest = snapshot;
        run(snapshot);
      });
      vi.spyOn(RunningReads.prototype, 'end').mockImplementation(() => latest);
    },
  },
];

type Append = (change: RelationChange) => void;

/** Changes what becomes of the changes of followed relations. */
function changeAppending(change: (append: Append, change: RelationChange) => void): void {
  changeMethod(RelationLog, 'append', (run, found) => {
    change((one) => run(one), found);
  });
}
