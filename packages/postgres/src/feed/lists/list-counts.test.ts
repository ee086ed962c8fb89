import type { WireType } from '@proj/engine/database';
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
  const { relations, parameters } = statement;
  const sql = statement.sql.trim().replaceAll(/\s+/g, ' ');
  return { sql, counted: all.map((filter) => lists.indexOf(filter)), relations, parameters };
}

it('counts lists by one statement that reads no row which is in none of them', () => {
  const conditions = ['a', 'b', 'c'].map((name) => compared(name, 'lt', [1n]));
  expect(count(conditions, 2)).toEqual({
    counted: [0, 1, -1],
    relations: [SHOP.path],
    parameters: ['1', '1', '1', '1'],
    sql:
      'select count(*) filter (where (("t"."a" < $1::int8))), ' +
      'count(*) filter (where (("t"."b" < $2::int8))) from "shop"."orders" as "t" ' +
      'where (("t"."a" < $3::int8)) or (("t"."b" < $4::int8))',
  });
});

it('counts lists by one statement that groups rows by the values of a column, and what lists share once', () => {
  const is = (open: boolean) =>
    compared('open', 'eq', [open], { type: 'boolean', databaseType: 'boolean' });
  const of = (...tenants: (bigint | null)[]) => compared('tenant', 'in', tenants);
  const other = (facts: object) =>
    compared('tenant', 'eq', [1n], { type: 'int64', databaseType: 'bigint', ...facts });
  const conditions = [
    { and: [is(true), of(1n)] },
    { and: [of(2n, 1n), is(true)] },
    { and: [is(false), of(3n, null), of(3n)] },
    of(4n),
    compared('tenant', 'eq', [6n]),
    is(true),
    compared('tenant', 'lt', [5n]),
    { or: [of(1n)] },
    other({ type: 'int32' }),
    other({ databaseType: 'integer' }),
    other({ join: {} }),
    other({ column: 'owner' }),
  ];
  const { sql, counted, parameters } = count(conditions, 1);
  expect(counted).toEqual([0, 1, 2, 3, 4, -1, -1, -1, -1, -1, -1, -1]);
  expect(sql).toBe(
    'select coalesce(sum("rest 0") filter (where (("t"."tenant" in ($1::int8)))), 0), ' +
      'coalesce(sum("rest 0") filter (where (("t"."tenant" in ($2::int8, $3::int8)))), 0), ' +
      'coalesce(sum("rest 1") filter (where (("t"."tenant" in ($4::int8)) ' +
      'and ("t"."tenant" in ($5::int8)))), 0), ' +
      'coalesce(sum("rest 2") filter (where (("t"."tenant" in ($6::int8)))), 0), ' +
      'coalesce(sum("rest 2") filter (where (("t"."tenant" in ($7::int8)))), 0) ' +
      'from (select "t"."tenant", ' +
      'count(*) filter (where ((("t"."open" in ($8::boolean))))) as "rest 0", ' +
      'count(*) filter (where ((("t"."open" in ($9::boolean))))) as "rest 1", ' +
      'count(*) filter (where (true)) as "rest 2" from "shop"."orders" as "t" ' +
      'where ("t"."tenant" in ($10::int8, $11::int8, $12::int8, $13::int8, $14::int8)) ' +
      'and true ' +
      'group by "t"."tenant") as "t"',
  );
  expect(parameters.join(' ')).toBe('1 2 1 3 3 4 6 true false 1 2 3 4 6');
  const shared = [1n, 2n, 3n, 4n].map((tenant) => ({ and: [of(tenant), is(true)] }));
  expect(count(shared, 1).sql).toContain(
    'where ("t"."tenant" in ($6::int8, $7::int8, $8::int8, $9::int8)) ' +
      'and (("t"."open" in ($10::boolean))) group by',
  );
  const few = [{ and: [{ or: [is(true)] }, of(1n)] }, ...conditions.slice(1, 3)];
  expect(count(few, 2).counted).toEqual([0, 1, -1]);
});

it.each([
  ...[
    'boolean',
    'int32',
    'decimal',
    'float64',
    'date',
    'timestamp',
    'timestamp_tz',
    'uuid',
    'enum',
  ].map((type) => [type, 'any', true]),
  ['text', 'text', true],
  ['text', 'character varying', true],
  ['text', 'character varying(20)', true],
  ['text', 'citext', false],
  ['text', 'text[]', false],
  ['json', 'json', false],
] as [WireType, string, boolean][])(
  'groups rows by values of the type %s, in the database %s: %s',
  (type, databaseType, isGrouped) => {
    const conditions = ['1', '2', '3', '4'].map((value) =>
      compared('a', 'eq', [value], { type, databaseType }),
    );
    expect(count(conditions, 1).sql.includes('group by')).toBe(isGrouped);
  },
);

it('counts lists of many parameters in turns', () => {
  const many = Array.from({ length: 15_000 }, (_, value) => BigInt(value));
  const conditions = ['a', 'b'].map((name) => compared(name, 'in', many));
  expect(count(conditions, 2).counted).toEqual([0, -1]);
});
