import type { Clauses, Dialect, Expression } from '@proj/engine/database';
import { sql } from 'kysely';

function isAlike({ types }: Clauses['joined']): boolean {
  return affinityOf(types.key) === affinityOf(types.held);
}

/** An index serves the collation of the left operand, or a written one. */
function collated({ key, collation }: Clauses['joined']): Expression {
  return collation === undefined ? key : sql`${key} collate ${sql.raw(collation)}`;
}

/** As if assigned to the key's column. `+` drops an affinity that would make texts numbers. */
export const sqliteJoins: NonNullable<Dialect['joins']> = {
  equal: (pair) => sql`${collated(pair)} = ${isAlike(pair) ? pair.held : sql`+${pair.held}`}`,

  /** `exists` runs for each row, this once. */
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

/** https://sqlite.org/datatype3.html#determination_of_column_affinity; numbers compare alike. */
export function affinityOf(type: string): 'text' | 'none' | 'number' {
  if (/INT/i.test(type)) return 'number';
  if (/CHAR|CLOB|TEXT/i.test(type)) return 'text';
  return type === '' || /BLOB/i.test(type) ? 'none' : 'number';
}

/** Compares as stored: `+` keeps SQLite from converting texts and numbers, but uses no index. */
export function asStored(column: Expression, databaseType: string): Expression {
  return affinityOf(databaseType) === 'none' ? column : sql`+${column}`;
}
