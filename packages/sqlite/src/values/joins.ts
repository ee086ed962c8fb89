import type { Clauses, Dialect } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { affinityOf } from './affinity.ts';

type Expression = RawBuilder<unknown>;

function isAlike({ types }: Clauses['joined']): boolean {
  return affinityOf(types.key) === affinityOf(types.held);
}

/** The index's collation is that of the operand on the left, or what is written there. */
function collated({ key, collation }: Clauses['joined']): Expression {
  return collation === undefined ? key : sql`${key} collate ${sql.raw(collation)}`;
}

/**
 * SQLite compares a foreign key as if the column of the key had been assigned its value. A column
 * of another kind would have its own say, and a key of texts be compared as numbers, of which
 * several may be equal; behind a `+` it has none.
 */
export const sqliteJoins: NonNullable<Dialect['joins']> = {
  equal: (pair) => sql`${collated(pair)} = ${isAlike(pair) ? pair.held : sql`+${pair.held}`}`,

  /** `exists` is evaluated for each row, and this once. */
  isAmong(pairs, { from, condition }) {
    if (!pairs.every(isAlike)) return undefined;
    const keys = sql.join(pairs.map(collated));
    const held = pairs.map((pair) => pair.held);
    const isHeld = sql.join(
      held.map((column) => sql`${column} is not null`),
      sql` and `,
    );
    const where = condition === undefined ? isHeld : sql`${isHeld} and ${condition}`;
    const rows = sql`select ${sql.join(held)} from ${from} where ${where}`;
    return sql`coalesce((${keys}) in (${rows}), false)`;
  },
};
