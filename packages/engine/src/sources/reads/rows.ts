import type { RowsStatement } from '../../sql/query-statements.ts';
import { shapeOf } from '../statement-shape.ts';
import type { RowsRead } from './primitives.ts';
import type { SnapshotRule } from './rule.ts';

/** The records of a page without a total. */
export const ROWS: SnapshotRule<RowsStatement, RowsRead> = {
  termsOf: ({ relations, statement: { session } }) => ({ relations, session }),
  shapeOf: ({ statement, bindings }) => shapeOf(`rows ${statement.sql}`, bindings),
  inSnapshot: (snapshot, rows) => snapshot.rows(rows),
};
