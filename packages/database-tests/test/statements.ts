import type { QueryStatements } from '../../engine/src/sql/query-statements.ts';

/** The statements of a list, from SQL text without parameters. */
export function statements({ rows, count }: { rows: string; count: string }): QueryStatements {
  return {
    relations: [],
    rows: { sql: rows, parameters: [] },
    reversed: undefined,
    count: { sql: count, parameters: [] },
    atOnce: undefined,
    lock: undefined,
    fields: [],
    shortPageProof: false,
    maxBytes: 2 ** 20,
  };
}

/** The text of a statement that counts up to `steps` before it answers with the value. */
export function slowSelect(value: number, steps: number): string {
  return `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${steps}) select ${value} + 0 * count(*), 1 from n`;
}
