import type { PageStatements } from '../src/sources/source.ts';

/** The statements of a page, from SQL text without parameters. */
export function statements({ rows, count, offset = 0n }: { rows: string; count: string; offset?: bigint }): PageStatements {
  return {
    rows: { sql: rows, parameters: [] },
    count: { sql: count, parameters: [] },
    together: undefined,
    fields: [],
    offset,
  };
}

/** The text of a statement that counts up to `steps` before it answers with the value. */
export function slowSelect(value: number, steps: number): string {
  return `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${steps}) select ${value} + 0 * count(*) from n`;
}
