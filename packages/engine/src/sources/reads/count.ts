import type { Statement } from '../../sql/statement.ts';
import { WHOLE_RELATION } from '../statement-shape.ts';
import { unversioned, type Versioned } from './primitives.ts';
import type { SnapshotRule } from './rule.ts';

/** How many records there are. */
export interface CountRead extends Versioned {
  readonly total: bigint;
}

export const COUNT: SnapshotRule<Statement, CountRead> = {
  termsOf: (count) => count,
  shapeOf: () => WHOLE_RELATION,
  inSnapshot: async (snapshot, count) => unversioned({ total: await snapshot.count(count) }),
};
