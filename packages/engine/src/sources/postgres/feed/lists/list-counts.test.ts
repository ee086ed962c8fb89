import { sql } from 'kysely';
import { expect, it } from 'vitest';

import { postgresDialect } from '../../dialect.ts';
import { ListCounts } from './list-counts.ts';
import type { RowFilter } from './row-filter.ts';

const SHOP = { path: ['shop', 'orders'], key: [] } as const;

function filterOf(name: string, parameters = 1): RowFilter {
  const either = sql`${sql.id('t', name)} = ${name} or ${sql.id('t', 'all')}`;
  return { name, condition: undefined, sql: either, parameters };
}

it('counts lists by one statement that reads no row which is in none of them', () => {
  const filters = [filterOf('a'), filterOf('b')];
  const counts = new ListCounts(SHOP, filters, postgresDialect);
  expect(counts.statements).toMatchObject([
    {
      sql:
        'select count(*) filter (where ("t"."a" = $1 or "t"."all")), ' +
        'count(*) filter (where ("t"."b" = $2 or "t"."all")) from "shop"."orders" as "t" ' +
        'where ("t"."a" = $3 or "t"."all") or ("t"."b" = $4 or "t"."all")',
      parameters: ['a', 'b', 'a', 'b'],
    },
  ]);
  expect([...counts.read([['7', '8']])]).toEqual([
    [filters[0], 7n],
    [filters[1], 8n],
  ]);
});

it('counts lists of many parameters by several statements, and none by none', () => {
  const filters = [filterOf('a', 15_000), filterOf('b', 15_000)];
  const counts = new ListCounts(SHOP, filters, postgresDialect);
  expect(counts.statements).toHaveLength(2);
  expect([...counts.read([['7'], ['8']]).values()]).toEqual([7n, 8n]);
  expect(new ListCounts(SHOP, [], postgresDialect).statements).toEqual([]);
});
