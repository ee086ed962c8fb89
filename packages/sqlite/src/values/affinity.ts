import { type RawBuilder, sql } from 'kysely';

type Expression = RawBuilder<unknown>;

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
