import { sql } from 'kysely';
import { expect, it } from 'vitest';

import { catalogueOf, columnOf, tableOf } from '../../../test/unit/models.ts';
import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import { Grant, type ModelGrant } from '../../catalogue/grant.ts';
import { planQuery } from '../../planning/plan.ts';
import { compileQuery } from '../compile/compile.ts';
import type { Dialect } from '../dialect.ts';
import { cutPage } from './page-clauses.ts';
import { columnOf as columnIn } from './relation-rows.ts';

const whole = (name: string) => ({ ...columnOf(name, 'int64', false), databaseType: 'integer' });

/** A table whose records lead to at most one of another. */
function tableTo(target: string | undefined, ...parameters: Parameters<typeof tableOf>) {
  const table = tableOf(...parameters);
  const foreignKey = { columns: [`${target}_id`], relation: [`${target}s`], key: ['id'] };
  const foreignKeys = target === undefined ? [] : [foreignKey];
  return { ...table, uniqueKeys: table.keys, foreignKeys };
}

const CATALOGUE = catalogueOf(
  tableTo(undefined, 'towns', [whole('id'), columnOf('name')]),
  tableTo('town', 'customers', [whole('id'), whole('town_id'), columnOf('name')]),
  tableTo('customer', 'orders', [
    ...['id', 'customer_id'].map(whole),
    columnOf('note'),
    columnOf('amount', 'float64'),
  ]),
);
const rowPolicy = { attribute: 'name', op: 'ne', value: 'x' } as const;
const ALL = { attributes: 'all' } as const;
const GRANT = new Grant(
  new Map<string, ModelGrant>([
    ['orders', ALL],
    ['customers', { ...ALL, rowPolicy }],
    ['towns', ALL],
  ]),
);
const DIALECT: Dialect = {
  ...plainDialect,
  rows: (fields, page) =>
    cutPage(
      fields.map((field) => columnIn(field)),
      page,
    ),
  groups: { ...plainDialect.groups, single: (column) => sql`single(${column})` },
};

const leaf = (attribute: string) => ({ attribute, op: 'eq', value: 'a' });
const COUNT = { name: 'n', related: 'orders', op: 'count' };
const MOST = { name: 'm', related: 'orders', op: 'max', attribute: 'amount' };
const OF_CUSTOMERS = { query_model: 'customers', query_attributes: ['name'] };

const CUSTOMER =
  ' left join "customers" as "j0" on "j0"."id" = "t"."customer_id" and (not (bytes("j0"."name") in (?)))';
const TOWN = ' left join "towns" as "j1" on "j1"."id" = "j0"."town_id"';
const INNER = `${CUSTOMER}${TOWN}`.replaceAll('left join', 'join');
const BY_ID = 'order by "t"."id" asc nulls last';
const VISIBLE = 'from "customers" as "t" where (not (bytes("t"."name") in (?)))';

it.each<[string, object, string, string]>([
  [
    'what records show is looked up for those of a page',
    { query_attributes: ['note', 'customer.name', 'customer.town.name'] },
    `select "t"."note", "j0"."name", "j1"."name" from (select "t"."note", "t"."id", "t"."customer_id" from "orders" as "t" ${BY_ID} limit ? offset ?) as "t"${CUSTOMER}${TOWN} ${BY_ID}`,
    'select count(*) from "orders" as "t"',
  ],
  [
    'rows that a filter needs are joined before, and counted only where they are there',
    { query_filter: leaf('customer.town.name') },
    `select "t"."note" from "orders" as "t"${CUSTOMER}${TOWN} where (bytes("j1"."name") in (?)) ${BY_ID} limit ? offset ?`,
    `select count(*) from "orders" as "t"${INNER} where (bytes("j1"."name") in (?))`,
  ],
  [
    'rows are joined for the order, and a filter may hold without them',
    {
      query_attributes: ['customer.name'],
      query_filter: { or: [leaf('customer.town.name'), leaf('note')] },
      query_sort: [{ attribute: 'customer.name' }],
    },
    `select "j0"."name" from (select "t"."id", "t"."customer_id" from "orders" as "t"${CUSTOMER}${TOWN} where ((bytes("j1"."name") in (?)) or (bytes("t"."note") in (?))) order by "j0"."name" asc nulls last, "t"."id" asc nulls last limit ? offset ?) as "t"${CUSTOMER} order by "j0"."name" asc nulls last, "t"."id" asc nulls last`,
    `select count(*) from "orders" as "t"${CUSTOMER}${TOWN} where ((bytes("j1"."name") in (?)) or (bytes("t"."note") in (?)))`,
  ],
  [
    'records that refer to others are looked for with what they lead to',
    {
      ...OF_CUSTOMERS,
      query_filter: {
        and: [
          { related: 'orders', some: leaf('customer.town.name') },
          { related: 'orders', none: {} },
        ],
      },
    },
    `select "t"."name" from "customers" as "t" where ((not (bytes("t"."name") in (?))) and (exists (select 1 from "orders" as "j0" left join "customers" as "j1" on "j1"."id" = "j0"."customer_id" and (not (bytes("j1"."name") in (?))) left join "towns" as "j2" on "j2"."id" = "j1"."town_id" where "t"."id" = "j0"."customer_id" and (bytes("j2"."name") in (?))) and not exists (select 1 from "orders" as "j3" where "t"."id" = "j3"."customer_id"))) ${BY_ID} limit ? offset ?`,
    'select count(*) from "customers" as "t" where ((not (bytes("t"."name") in (?))) and (exists (select 1 from "orders" as "j0" left join "customers" as "j1" on "j1"."id" = "j0"."customer_id" and (not (bytes("j1"."name") in (?))) left join "towns" as "j2" on "j2"."id" = "j1"."town_id" where "t"."id" = "j0"."customer_id" and (bytes("j2"."name") in (?))) and not exists (select 1 from "orders" as "j3" where "t"."id" = "j3"."customer_id")))',
  ],
  [
    'counts and extremes that order a list are grouped once',
    {
      ...OF_CUSTOMERS,
      query_attributes: ['name', 'n', 'm'],
      query_related: [COUNT, { ...MOST, filter: leaf('note') }],
      query_sort: [{ attribute: 'm' }, { attribute: 'n' }],
    },
    'select "t"."name", "t"."r0", "t"."r1" from (select "t"."name", coalesce("r0"."a", 0) as "r0", single("r1"."a") as "r1", "t"."id" from "customers" as "t" left join (select "j0"."customer_id" as "k0", count(*) as "a" from "orders" as "j0" where "j0"."customer_id" is not null group by 1) as "r0" on "t"."id" = "r0"."k0" left join (select "j1"."customer_id" as "k0", max("j1"."amount") as "a" from "orders" as "j1" where "j1"."customer_id" is not null and (bytes("j1"."note") in (?)) group by 1) as "r1" on "t"."id" = "r1"."k0") as "t" where (not (bytes("t"."name") in (?))) order by "t"."r1" asc nulls last, "t"."r0" asc nulls last, "t"."id" asc nulls last limit ? offset ?',
    `select count(*) ${VISIBLE}`,
  ],
  [
    'counts, sums and extremes that a page shows are those of its records',
    {
      ...OF_CUSTOMERS,
      query_attributes: ['n', 'm', 's'],
      query_related: [
        { ...COUNT, op: 'count_distinct', attribute: 'note' },
        MOST,
        { ...MOST, name: 's', op: 'sum' },
      ],
    },
    `select "t"."r0", "t"."r1", "t"."r2" from (select (select count(distinct same("j0"."note")) from "orders" as "j0" where "t"."id" = "j0"."customer_id") as "r0", single((select max("j1"."amount") from "orders" as "j1" where "t"."id" = "j1"."customer_id")) as "r1", (select sum("j2"."amount") from "orders" as "j2" where "t"."id" = "j2"."customer_id") as "r2", "t"."id" from (select "t"."id" ${VISIBLE} ${BY_ID} limit ? offset ?) as "t") as "t" ${BY_ID}`,
    `select count(*) ${VISIBLE}`,
  ],
  [
    'groups have what they show and sort by of each record and those that it leads to',
    {
      query_groups: ['customer.name'],
      query_attributes: ['customer.name', 'n'],
      query_aggregates: [
        { name: 'n', op: 'count', attribute: 'note' },
        { name: 's', op: 'sum', attribute: 'amount' },
        { name: 'a', op: 'average', attribute: 'amount' },
      ],
      query_filter: leaf('customer.town.name'),
      query_sort: [{ attribute: 's' }, { attribute: 'a' }],
    },
    `select "t"."v0", "t"."a0" from (select same("j0"."name") as "g0", one("j0"."name") as "v0", count("t"."note") as "a0", sum("t"."amount") as "a1", average("t"."amount") as "a2" from "orders" as "t"${INNER} where (bytes("j1"."name") in (?)) group by 1) as "t" order by "t"."a1" asc nulls last, "t"."a2" asc nulls last, "t"."v0" asc nulls last, "t"."g0" asc nulls last limit ? offset ?`,
    `select count(*) from (select same("j0"."name") as "g0" from "orders" as "t"${INNER} where (bytes("j1"."name") in (?)) group by 1) as "t"`,
  ],
])('%s', (_, members, rows, count) => {
  const page = { page: 1, size: 10 };
  const asked = { query_model: 'orders', query_attributes: ['note'], page, ...members };
  const planning = planQuery(asked, CATALOGUE, GRANT);
  if (!planning.ok) throw new Error(JSON.stringify(planning.errors));
  const options = { shortPageProof: true, readBackwards: false, maxReplyBytes: 9 };
  const statements = compileQuery(planning.plan, DIALECT, options);
  expect([statements.rows.sql, statements.count.sql]).toEqual([rows, count]);
});
