import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';

import { catalogueOf, columnOf, tableOf } from '../../../test/unit/models.ts';
import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import { EVERYTHING } from '../../catalogue/grant.ts';
import { type Plan, planQuery } from '../../planning/plan.ts';
import { compile } from '../compile/compile.ts';
import { compileKeys } from '../compile/compile-keys.ts';
import type { Dialect, PageClauses } from '../dialect.ts';
import { cutPage } from './page-clauses.ts';
import type { KeyRange, SeekShape } from './seek.ts';
import { pageFromKey, pageInParts } from './list-parts.ts';
import type { Template } from '../statement.ts';

const DIALECT: Dialect = { ...plainDialect, readsParts: 'all' };

function ordersPlan(sort: object, customers = 'customers', members: object = {}): Plan {
  const target = tableOf(customers, [columnOf('id', 'int64', false), columnOf('name')]);
  const owner = tableOf('orders', [
    columnOf('id', 'int64', false),
    columnOf('customer_id', 'int64'),
  ]);
  const catalogue = catalogueOf(
    { ...target, uniqueKeys: target.keys },
    {
      ...owner,
      foreignKeys: [{ columns: ['customer_id'], relation: [customers], key: ['id'] }],
    },
  );
  const body = {
    query_model: 'orders',
    query_attributes: ['id'],
    query_sort: [sort],
    page: { page: 1, size: 10 },
    ...members,
  };
  const planning = planQuery(body, catalogue, EVERYTHING);
  if (!planning.ok) throw new Error(JSON.stringify(planning.errors));
  return planning.plan;
}

const BY_NAME = { attribute: 'customer.name' };

function textOf(page: PageClauses): string {
  return compile(cutPage([sql.id('t', 'id')], page), DIALECT).sql;
}

const FILTER = { attribute: 'id', op: 'gt', value: 1 };
const FILTERED = ordersPlan(BY_NAME, 'customers', { query_filter: FILTER });

const COLUMNS = '"t"."id", "t"."customer_id"';
const JOINED = '"customers" as "j0" on "j0"."id" = "t"."customer_id"';
const VALUES = `"orders" as "t" join ${JOINED} where "j0"."name" is distinct from null`;
const NULLS =
  '"orders" as "t" where not exists (select 1 from "customers" as "j0" where "j0"."id" = "t"."customer_id" and "j0"."name" is distinct from null)';
const LATE = `as "t" left join ${JOINED} order by`;

describe('a page in the order of a related attribute', () => {
  it('has the rows with a value, and what it lacks of those that lead nowhere', () => {
    expect(textOf(pageInParts(ordersPlan(BY_NAME), DIALECT, 5))).toBe(
      `select "t"."id" from (with "found" as materialized (select ${COLUMNS} from ${VALUES} order by "j0"."name" asc nulls last, "t"."id" asc nulls last limit ? offset ?)
    select * from "found" union all select * from (select ${COLUMNS} from ${NULLS} order by "t"."id" asc nulls last limit ? - (select count(*) from "found") offset case when ? = 0 or exists (select 1 from "found") then 0 else ? - (select count(*) from ${VALUES}) end) as "s") ${LATE} "j0"."name" asc nulls last, "t"."id" asc nulls last`,
    );
  });

  it('has the rows that lead nowhere before the others where NULL comes first', () => {
    const plan = ordersPlan({ ...BY_NAME, nulls: 'first' });
    const text = textOf(pageInParts(plan, DIALECT, 5));
    expect(text.indexOf(NULLS)).toBeLessThan(text.indexOf(VALUES));
  });

  it('names what it found as no relation of the list is named', () => {
    expect(textOf(pageInParts(ordersPlan(BY_NAME, 'Found'), DIALECT, 5))).toContain(
      'with "found_"',
    );
  });

  it.each<[string, Plan, Dialect]>([
    ['an attribute of its own comes first', ordersPlan({ attribute: 'customer_id' }), DIALECT],
    ['the dialect reads no parts', ordersPlan(BY_NAME), plainDialect],
    ['the dialect reads none with a filter', FILTERED, { ...DIALECT, readsParts: 'unfiltered' }],
    ['two looks may find two states', withFacts({ hasSnapshots: false }), DIALECT],
    ['two looks may find other rows', withFacts({ varies: { inTransaction: true } }), DIALECT],
  ])('is read as a whole where %s', (_why, plan, dialect) => {
    expect(pageInParts(plan, dialect, 5).parts).toBeUndefined();
  });
});

function withFacts(facts: Partial<Plan['facts']>): Plan {
  const plan = ordersPlan(BY_NAME);
  return { ...plan, facts: { ...plan.facts, ...facts } };
}

const LATER =
  '"j0"."name" >= as_name(?) and ("j0"."name" > as_name(?) or ("j0"."name" = as_name(?) and ("t"."id" >= as_id(?))))';
const FROM_VALUE = `${VALUES} and ${LATER}`;
const FROM_NULL = `${NULLS} and ("t"."id") >= (as_id(?))`;

/** What the parts of a page from a key on are selected from. */
function partsFrom(nulls: 'first' | 'last', shape: SeekShape): readonly string[] {
  const page = pageFromKey(ordersPlan({ ...BY_NAME, nulls }), DIALECT, { shape, maxBytes: 5 });
  return (page.parts?.parts ?? []).map(
    ({ from, where }) => compile(sql`${from}${where}`, DIALECT).sql,
  );
}

describe('the rows from a key on', () => {
  it('are those from a value, and the ones that lead nowhere if the page may reach them', () => {
    const nulls = [false, false];
    expect(partsFrom('last', { nulls, reachesNulls: false })).toEqual([FROM_VALUE]);
    expect(partsFrom('last', { nulls, reachesNulls: true })).toEqual([FROM_VALUE, NULLS]);
    expect(partsFrom('first', { nulls, reachesNulls: true })).toEqual([FROM_VALUE]);
  });

  it('are those that lead nowhere from a NULL, and all others where those come later', () => {
    const shape = { nulls: [true, false], reachesNulls: true };
    expect(partsFrom('last', shape)).toEqual([FROM_NULL]);
    expect(partsFrom('first', shape)).toEqual([FROM_NULL, VALUES]);
  });
});

function keysOf(range: KeyRange): Template | undefined {
  return compileKeys(ordersPlan(BY_NAME), DIALECT, { range, step: 100 })?.rows;
}

it('NULL in the next term is reached from a row that leads nowhere', () => {
  const query_sort = [BY_NAME, { attribute: 'customer_id' }];
  const plan = ordersPlan(BY_NAME, 'customers', { query_sort });
  const shape = { nulls: [true, false, false], reachesNulls: false };
  const text = textOf(pageFromKey(plan, DIALECT, { shape, maxBytes: 5 }));
  const later = '"t"."customer_id" > as_customer_id(?) or "t"."customer_id" is null';
  expect(text).toContain(
    `${NULLS} and (${later} or ("t"."customer_id" = as_customer_id(?) and ("t"."id" >= as_id(?)))) order`,
  );
  expect(text).not.toContain('"found"');
});

it('is read in parts without a filter where the dialect reads them so', () => {
  const { parts } = pageInParts(ordersPlan(BY_NAME), { ...DIALECT, readsParts: 'unfiltered' }, 5);
  expect(parts?.parts).toHaveLength(2);
});

describe('the keys of a part', () => {
  it('are read from rows with a value along the relation', () => {
    expect(keysOf({ nulls: [], next: 'later' })?.sql).toBe(
      `select "j0"."name" as "k0", "t"."id" as "k1" from ${VALUES} and "j0"."name" > as_name(?) order by "j0"."name" asc nulls last, "t"."id" asc nulls last limit ?`,
    );
  });

  it('begin with NULL where rows lead nowhere', () => {
    expect(keysOf({ nulls: [], next: 'null' })?.sql).toBe(
      `select null as "k0", "t"."id" as "k1" from ${NULLS} order by "t"."id" asc nulls last limit ?`,
    );
    expect(keysOf({ nulls: [], next: 'from_key' })?.sql).toContain('select "j0"."name" as "k0"');
    const after = keysOf({ nulls: [true], next: 'later' });
    expect(after?.sql).toContain(`${NULLS} and "t"."id" > as_id(?)`);
    expect(after?.parameters[0]).toEqual({ placeholder: 'key', index: 1 });
  });
});
