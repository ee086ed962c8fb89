import type { Statement } from '../../sql/statement.ts';
import { WHOLE_RELATION } from '../statement-shape.ts';
import { type RowRead, unversioned } from './primitives.ts';
import type { SnapshotRule } from './rule.ts';

export const ROW: SnapshotRule<Statement, RowRead> = {
  termsOf: (row) => row,
  shapeOf: () => WHOLE_RELATION,
  inSnapshot: async (snapshot, row) => unversioned({ cells: await snapshot.row(row) }),
};
