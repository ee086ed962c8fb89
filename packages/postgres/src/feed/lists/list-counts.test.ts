import type { Statement } from '@proj/engine/database';
import type { Attribute, Comparison, Condition } from '@proj/engine/following';
import { expect, it } from 'vitest';

import { postgresDialect } from '../../dialect.ts';
import { countLists } from './list-counts.ts';
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

/** Counts, where statements are answered by hand. */
async function count(conditions: readonly Condition[], most: number, answers: string[][] = []) {
  const filters = new RowFilters(postgresDialect);
  const asked: Statement[] = [];
  const ask = async (statement: Statement): Promise<string[]> => {
    asked.push({ ...statement, sql: statement.sql.trim().replaceAll(/\s+/g, ' ') });
    return answers[asked.length - 1] ?? [];
  };
  const all = conditions.map((condition) => filters.of(condition));
  const rows = { relation: SHOP, dialect: postgresDialect, ask };
  const counts = await countLists(rows, all, most);
  return { asked, counts: all.map((filter) => counts.get(filter)) };
}

it('counts lists by one statement that reads no row which is in none of them', async () => {
  const conditions = ['a', 'b', 'c'].map((name) => compared(name, 'lt', [1n]));
  const { asked, counts } = await count(conditions, 2, [['7', '8']]);
  expect(counts).toEqual([7n, 8n, undefined]);
  expect(asked).toMatchObject([
    {
      sql:
        'select count(*) filter (where (("t"."a" < $1::int8))), ' +
        'count(*) filter (where (("t"."b" < $2::int8))) from "shop"."orders" as "t" ' +
        'where (("t"."a" < $3::int8)) or (("t"."b" < $4::int8))',
    },
  ]);
});

it('counts lists of values of a column by one statement that groups the rows by them', async () => {
  const open = compared('open', 'eq', [true], { type: 'boolean', databaseType: 'boolean' });
  const conditions = [1n, 2n, 3n, 4n].map((n) => ({ and: [compared('tenant', 'eq', [n]), open] }));
  const { asked, counts } = await count(conditions, 1, [['5', '6', '7', '8']]);
  expect(counts).toEqual([5n, 6n, 7n, 8n]);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.sql).toContain(
    'from (select "t"."tenant", count(*) filter (where ((("t"."open" in ($5::boolean))))) ' +
      'as "rest 0" from "shop"."orders" as "t" where ("t"."tenant" in (',
  );
});

it('counts no lists by no statement, and those of many parameters in turns', async () => {
  expect((await count([], 1)).asked).toEqual([]);
  const many = Array.from({ length: 15_000 }, (_, value) => BigInt(value));
  const conditions = ['a', 'b'].map((name) => compared(name, 'in', many));
  const { counts } = await count(conditions, 2, [['7', '8']]);
  expect(counts).toEqual([7n, undefined]);
});
