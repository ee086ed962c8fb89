import type { Statement } from '@proj/engine/database';

import { quoted } from '../values/sql-text.ts';

const READING =
  /^(?:explain \(format json\) |declare \w+ no scroll cursor for )?(?=select\b|with\b)/i;

export interface ReadCondition {
  /** SQL, whose parameters follow the statement's. */
  readonly sql: string;
  /** What the database's error quotes where it does not hold. */
  readonly named: string;
  readonly rows: string;
}

/** Fails where a condition does not hold. Statements without rows stay as they are. */
export function readWhere(statement: Statement, { sql, named, rows }: ReadCondition): Statement {
  const [start] = READING.exec(statement.sql) ?? [];
  if (start === undefined) return statement;
  const alias = quoted(rows);
  const read = `select ${alias}.* from (${statement.sql.slice(start.length)}) as ${alias}`;
  const guard = `(case when ${sql} then 'true' else '${named}' end)::bool`;
  return { ...statement, sql: `${start}${read} where ${guard}` };
}
