import type { Fixture } from '../fixtures/fixture.ts';

/** A selection of so many rows, each with a number and a text of so many bytes. */
export function wideRows({ family }: Fixture, rows: number, bytes: number): string {
  const numbers = `with recursive n (id) as (select 1 union all select id + 1 from n where id < ${rows})`;
  return {
    SQLite: `${numbers} select id, replace(hex(zeroblob(${bytes / 2})), '00', 'xx') as cell from n`,
    PostgreSQL: `select n::int as id, repeat('x', ${bytes}) as cell from generate_series(1, ${rows}) as n`,
    DuckDB: `select n::int as id, repeat('x', ${bytes}) as cell from range(1, ${rows} + 1) as r (n)`,
    MariaDB: `${numbers} select id, repeat('x', ${bytes}) as cell from n`,
  }[family];
}
