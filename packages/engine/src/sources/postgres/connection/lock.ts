import { type RawBuilder, sql } from 'kysely';

/**
 * TRUNCATE empties a table for older snapshots too. The lock is taken before the snapshot, and a
 * view's tables are locked with it.
 */
export function lockRelation(relation: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`lock table ${relation} in access share mode`;
}
