import { type RawBuilder, sql } from 'kysely';

/**
 * TRUNCATE empties a table for older snapshots too. The lock is taken before the snapshot, and a
 * view's tables are locked with it. Several relations are locked without waiting for any of them,
 * since a deadlock could be ended at the cost of the writer
 * (https://www.postgresql.org/docs/current/explicit-locking.html#LOCKING-DEADLOCKS).
 */
export function lockRelations(relations: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  const waits = relations.length > 1 ? sql` nowait` : sql``;
  return sql`lock table ${sql.join(relations)} in access share mode${waits}`;
}
