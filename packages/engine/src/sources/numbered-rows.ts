import { type RawBuilder, sql } from 'kysely';

/** @param over such as `(order by …)`; empty where rows keep the order of a subquery */
export function numberedRows(
  rows: RawBuilder<unknown>,
  over: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const [number, last] = [sql.id('n'), sql.id('last')];
  return sql`select *,
      row_number() over ${over} - 1 as ${number},
      lead(1) over ${over} is null as ${last}
    from (${rows}) as ${sql.id('r')}`;
}
