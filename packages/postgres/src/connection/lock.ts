import type { Expression } from '@proj/engine/database';
import { sql } from 'kysely';

/**
 * TRUNCATE empties older snapshots too, so locks, also of a view's tables, precede the snapshot.
 * `nowait`: several locks might make a deadlock, which might end the writer.
 */
export function lockRelations(relations: readonly Expression[]): Expression {
  const waits = relations.length > 1 ? sql` nowait` : sql``;
  return sql`lock table ${sql.join(relations)} in access share mode${waits}`;
}
