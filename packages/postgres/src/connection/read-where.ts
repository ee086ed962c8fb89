import type { Statement } from '@proj/engine/database';

import { quoted } from '../values/sql-text.ts';

/** What comes before the rows of a statement that reads some. */
const READING =
  /^(?:explain \(format json\) |declare \w+ no scroll cursor for )?(?=select\b|with\b)/i;

/** What has to hold for a statement to be read. */
export interface ReadCondition {
  /** As SQL, whose parameters follow those of the statement. */
  readonly sql: string;
  /** What the error of the database quotes where it does not hold. */
  readonly named: string;
  /** The name under which the rows of the statement are selected. */
  readonly rows: string;
}

/**
 * A statement that fails where a condition does not hold, and reads nothing then. One that reads no
 * rows is as it was.
 */
export function readWhere(statement: Statement, { sql, named, rows }: ReadCondition): Statement {
  const [start] = READING.exec(statement.sql) ?? [];
  if (start === undefined) return statement;
  const alias = quoted(rows);
  const read = `select ${alias}.* from (${statement.sql.slice(start.length)}) as ${alias}`;
  const guard = `(case when ${sql} then 'true' else '${named}' end)::bool`;
  return { ...statement, sql: `${start}${read} where ${guard}` };
}
