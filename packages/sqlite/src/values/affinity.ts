import { type RawBuilder, sql } from 'kysely';

type Expression = RawBuilder<unknown>;

/**
 * How columns of a declared type take values for comparisons
 * (https://sqlite.org/datatype3.html#determination_of_column_affinity); numbers of all kinds are
 * compared alike.
 */
export function affinityOf(type: string): 'text' | 'none' | 'number' {
  if (/INT/i.test(type)) return 'number';
  if (/CHAR|CLOB|TEXT/i.test(type)) return 'text';
  return type === '' || /BLOB/i.test(type) ? 'none' : 'number';
}

/**
 * A column whose values are compared as they are stored. Another column would first turn a text of
 * digits into a number, or a number into a text; behind a `+` it does not, and uses no index.
 */
export function asStored(column: Expression, databaseType: string): Expression {
  return affinityOf(databaseType) === 'none' ? column : sql`+${column}`;
}
