import type { Attribute, Comparison, Condition } from '@proj/engine/following';
import { expect, it } from 'vitest';

import { postgresDialect } from '../../dialect.ts';
import { countsOf } from './list-counts.ts';
import { RowFilters } from './touched-rows.ts';

const SHOP = { path: ['shop', 'orders'], key: [] } as const;

function compared(
  column: string,
  op: Comparison['op'],
  values: Comparison['values'],
  facts: Pick<Attribute, 'type' | 'databaseType'> = { type: 'int64', databaseType: 'bigint' },
): Condition {
  return { attribute: { name: column, column, ...facts } as Attribute, op, values };
}

/** Which lists are counted, by which statement. */
function count(conditions: readonly Condition[], most: number) {
  const filters = new RowFilters(postgresDialect);
  const all = conditions.map((condition) => filters.of(condition));
  const { lists, statement } = countsOf(SHOP, all, { most, dialect: postgresDialect });
  const sql = statement.sql.trim().replaceAll(/\s+/g, ' ');
  return { sql, counted: all.map((filter) => lists.indexOf(filter)) };
}

it('counts lists by one statement that reads no row which is in none of them', () => {
  const conditions = ['a', 'b', 'c'].map((name) => compared(name, 'lt', [1n]));
  expect(count(conditions, 2)).toEqual({
    counted: [0, 1, -1],
    sql:
      'select count(*) filter (where (("t"."a" < $1::int8))), ' +
      'count(*) filter (where (("t"."b" < $2::int8))) from "shop"."orders" as "t" ' +
      'where (("t"."a" < $3::int8)) or (("t"."b" < $4::int8))',
  });
});

it('counts lists of values of a column by one statement that groups the rows by them', () => {
  const open = compared('open', 'eq', [true], { type: 'boolean', databaseType: 'boolean' });
  const conditions = [1n, 2n, 3n, 4n].map((n) => ({ and: [compared('tenant', 'eq', [n]), open] }));
  const { sql, counted } = count(conditions, 1);
  expect(counted).toEqual([0, 1, 2, 3]);
  expect(sql).toContain(
    'from (select "t"."tenant", count(*) filter (where ((("t"."open" in ($5::boolean))))) ' +
      'as "rest 0" from "shop"."orders" as "t" where ("t"."tenant" in (',
  );
});

it('counts lists of many parameters in turns', () => {
  const many = Array.from({ length: 15_000 }, (_, value) => BigInt(value));
  const conditions = ['a', 'b'].map((name) => compared(name, 'in', many));
  expect(count(conditions, 2).counted).toEqual([0, -1]);
});
