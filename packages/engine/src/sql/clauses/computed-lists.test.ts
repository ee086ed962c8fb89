import { sql } from 'kysely';
import { expect, it } from 'vitest';

import { columnOf, tableOf } from '../../../test/unit/models.ts';
import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import { buildCatalogue } from '../../catalogue/build/build.ts';
import { Grant, type ModelGrant } from '../../catalogue/grant.ts';
import type { ModelColumn } from '../../catalogue/model.ts';
import type { Column, ComputedValue, Relation } from '../../catalogue/relation.ts';
import { planFacets } from '../../planning/plan-facets.ts';
import { type Plan, planQuery } from '../../planning/plan.ts';
import { compile, compileQuery } from '../compile/compile.ts';
import { compileFacets } from '../compile/compile-facets.ts';
import type { Dialect } from '../dialect.ts';
import {
  cutPage,
  keyFields,
  orderedFields,
  pageClauses,
  type RecordsPlan,
} from './page-clauses.ts';
import { columnOf as columnIn } from './relation-rows.ts';

const whole = (name: string): Column => ({
  ...columnOf(name, 'int64', false),
  databaseType: 'integer',
});

/** A table whose records lead to at most one of another, by two columns. */
function tableTo(target: string | undefined, name: string, columns: readonly Column[]): Relation {
  const table = tableOf(name, [...['house', 'id'].map(whole), ...columns]);
  const key = ['house', 'id'];
  const foreignKey = { columns: ['house', `${target}_id`], relation: [`${target}s`], key };
  return {
    ...table,
    keys: [key.map((column) => ({ column }))],
    uniqueKeys: [key.map((column) => ({ column }))],
    foreignKeys: target === undefined ? [] : [foreignKey],
  };
}

const RELATIONS = [
  tableTo(undefined, 'towns', [columnOf('name'), columnOf('size', 'float64'), columnOf('r0')]),
  tableTo('town', 'customers', [whole('town_id'), columnOf('name')]),
  tableTo('customer', 'orders', [whole('customer_id'), columnOf('note')]),
];
/** Of every row: its loud name is computed before a page is cut, its late name after. */
const LOUD: ComputedValue = { sql: 'loud', isOfRow: true };
const LATE: ComputedValue = { sql: 'late', isOfRow: true, reads: ['id'] };
const computed = new Map(
  Object.entries({ loud: LOUD, late: LATE }).map(([name, value]) => [
    name,
    { type: 'text', databaseType: 'text', computed: value } as const,
  ]),
);
const attributes = {
  loud: { sql: 'loud', type: 'text' },
  late: { sql: 'late', type: 'text' },
} as const;
const { catalogue: CATALOGUE } = buildCatalogue(
  RELATIONS,
  {
    expose: 'all',
    models: { towns: { attributes }, customers: { attributes }, orders: { attributes } },
    maxPageSize: 100,
  },
  { selections: new Map(), columns: new Map(RELATIONS.map(({ name }) => [name, computed])) },
);
const leaf = (attribute: string) => ({ attribute, op: 'eq', value: 'a' }) as const;
const ALL = { attributes: 'all' } as const;
const GRANT = new Grant(
  new Map<string, ModelGrant>([
    ['orders', ALL],
    ['customers', { ...ALL, rowPolicy: leaf('loud') }],
    ['towns', ALL],
  ]),
);
const pageOf: Dialect['rows'] = (fields, page) =>
  cutPage(
    fields.map((field) => columnIn(field)),
    page,
  );
const DIALECT: Dialect = {
  ...plainDialect,
  rows: pageOf,
  orderTerm: (column, { nullable }) => sql`${column}${sql.raw(nullable ? ' or null' : '')}`,
  readsParts: 'unfiltered',
  groups: {
    ...plainDialect.groups,
    extreme: (which, column) => sql`extreme(${sql.lit(which)}, ${column})`,
    single: (column) => sql`single(${column})`,
  },
};

const OPTIONS = { shortPageProof: true, readBackwards: false, maxReplyBytes: 9 };

function planOf(members: object): Plan {
  const page = { page: 1, size: 10 };
  const asked = { query_model: 'orders', query_attributes: ['note'], page, ...members };
  const planning = planQuery(asked, CATALOGUE, GRANT);
  if (!planning.ok) throw new Error(JSON.stringify(planning.errors));
  return planning.plan;
}

function recordsOf(members: object): RecordsPlan {
  const plan = planOf(members);
  const { rows } = plan;
  if (rows.kind !== 'table') throw new Error('The list is one of groups.');
  return { ...plan, rows };
}

const COUNT = { name: 'n', related: 'orders', op: 'count' };
const LEAST = { ...COUNT, name: 'm', op: 'min', attribute: 'loud' };
const DIFFERENT = { ...LEAST, name: 'd', op: 'count_distinct' };
const OF_CUSTOMERS = { query_model: 'customers', query_attributes: ['name'] };
const OF_NOTES = { name: 'n', op: 'count', attribute: 'note' };
const GROUPED = { query_groups: ['loud'], query_attributes: ['loud', 'n'] };

const CUSTOMER =
  '(select (loud) as "loud", "t"."house", "t"."id", "t"."town_id" from "customers" as "t") as "j0" on "j0"."house" = "t"."house" and "j0"."id" = "t"."customer_id" and (bytes("j0"."loud") in (?))';
const TOWN =
  '(select (loud) as "loud", "t"."house", "t"."id" from "towns" as "t") as "j1" on "j1"."house" = "j0"."house" and "j1"."id" = "j0"."town_id"';
const BY_KEY = 'order by "t"."house", "t"."id"';
const PAGE = 'limit ? offset ?';

it.each<[string, object, string, string]>([
  [
    'what records show of others is computed in rows of those that also have what joins compare',
    { query_attributes: ['late', 'customers.loud', 'customers.towns.loud'] },
    `select "t"."late", "j0"."loud", "j1"."loud" from (select (late) as "late", "t"."house", "t"."id", "t"."customer_id" from (select "t"."id", "t"."house", "t"."customer_id" from "orders" as "t" ${BY_KEY} ${PAGE}) as "t") as "t" left join ${CUSTOMER} left join ${TOWN} ${BY_KEY}`,
    'select count(*) from "orders" as "t"',
  ],
  [
    'a filter of other records leaves what a page shows of its own for later',
    { query_attributes: ['late', 'loud', 'note'], query_filter: leaf('customers.late') },
    `select "t"."late", "t"."loud", "t"."note" from (select (late) as "late", "t"."loud", "t"."note", "t"."house", "t"."id" from (select "t"."id", "t"."loud", "t"."note", "t"."house" from (select "t"."house", "t"."id", (loud) as "loud", "t"."note", "t"."customer_id" from "orders" as "t") as "t" left join (select (late) as "late", (loud) as "loud", "t"."house", "t"."id" from "customers" as "t") as "j0" on "j0"."house" = "t"."house" and "j0"."id" = "t"."customer_id" and (bytes("j0"."loud") in (?)) where (bytes("j0"."late") in (?)) ${BY_KEY} ${PAGE}) as "t") as "t" ${BY_KEY}`,
    'select count(*) from "orders" as "t" join (select (late) as "late", (loud) as "loud", "t"."house", "t"."id" from "customers" as "t") as "j0" on "j0"."house" = "t"."house" and "j0"."id" = "t"."customer_id" and (bytes("j0"."loud") in (?)) where (bytes("j0"."late") in (?))',
  ],
  [
    'a filter needs what it names before',
    { query_attributes: ['late', 'note'], query_filter: { and: [leaf('late'), leaf('loud')] } },
    `select "t"."late", "t"."note" from (select (late) as "late", "t"."note", "t"."house", "t"."id", (loud) as "loud" from "orders" as "t") as "t" where ((bytes("t"."late") in (?)) and (bytes("t"."loud") in (?))) ${BY_KEY} ${PAGE}`,
    'select count(*) from (select (late) as "late", (loud) as "loud" from "orders" as "t") as "t" where ((bytes("t"."late") in (?)) and (bytes("t"."loud") in (?)))',
  ],
  [
    'rows that refer to others have what they are found by',
    { ...OF_CUSTOMERS, query_filter: { related: 'orders', some: leaf('loud') } },
    `select "t"."name" from (select "t"."name", "t"."house", "t"."id", (loud) as "loud" from "customers" as "t") as "t" where ((bytes("t"."loud") in (?)) and exists (select 1 from (select (loud) as "loud", "t"."house", "t"."customer_id" from "orders" as "t") as "j0" where "t"."house" = "j0"."house" and "t"."id" = "j0"."customer_id" and (bytes("j0"."loud") in (?)))) ${BY_KEY} ${PAGE}`,
    'select count(*) from (select (loud) as "loud", "t"."house", "t"."id" from "customers" as "t") as "t" where ((bytes("t"."loud") in (?)) and exists (select 1 from (select (loud) as "loud", "t"."house", "t"."customer_id" from "orders" as "t") as "j0" where "t"."house" = "j0"."house" and "t"."id" = "j0"."customer_id" and (bytes("j0"."loud") in (?))))',
  ],
  [
    'rows beside grouped counts have what a page shows before it is cut',
    {
      ...OF_CUSTOMERS,
      query_attributes: ['late', 'loud', 'n', 'm', 'd'],
      query_related: [COUNT, LEAST, DIFFERENT],
      query_sort: ['n', 'm', 'd'].map((attribute) => ({ attribute })),
    },
    `select "t"."late", "t"."loud", "t"."r0", "t"."r1", "t"."r2" from (select (late) as "late", "t"."loud", "t"."r0", "t"."r1", "t"."r2", "t"."house", "t"."id" from (select "t"."id", "t"."loud", "t"."r0", "t"."r1", "t"."r2", "t"."house" from (select "t"."loud", coalesce("r0"."a", 0) as "r0", single("r1"."a") as "r1", coalesce("r2"."a", 0) as "r2", "t"."house", "t"."id" from (select (loud) as "loud", "t"."house", "t"."id" from "customers" as "t") as "t" left join (select "j0"."house" as "k0", "j0"."customer_id" as "k1", count(*) as "a" from "orders" as "j0" where "j0"."house" is not null and "j0"."customer_id" is not null group by 1, 2) as "r0" on "t"."house" = "r0"."k0" and "t"."id" = "r0"."k1" left join (select "j1"."house" as "k0", "j1"."customer_id" as "k1", extreme('min', "j1"."loud") as "a" from (select "t"."house", "t"."customer_id", (loud) as "loud" from "orders" as "t") as "j1" where "j1"."house" is not null and "j1"."customer_id" is not null group by 1, 2) as "r1" on "t"."house" = "r1"."k0" and "t"."id" = "r1"."k1" left join (select "j2"."house" as "k0", "j2"."customer_id" as "k1", count(distinct same("j2"."loud")) as "a" from (select "t"."house", "t"."customer_id", (loud) as "loud" from "orders" as "t") as "j2" where "j2"."house" is not null and "j2"."customer_id" is not null group by 1, 2) as "r2" on "t"."house" = "r2"."k0" and "t"."id" = "r2"."k1") as "t" where (bytes("t"."loud") in (?)) order by "t"."r0", "t"."r1" or null, "t"."r2", "t"."house", "t"."id" ${PAGE}) as "t") as "t" order by "t"."r0", "t"."r1" or null, "t"."r2", "t"."house", "t"."id"`,
    'select count(*) from (select (loud) as "loud" from "customers" as "t") as "t" where (bytes("t"."loud") in (?))',
  ],
  [
    'groups have what they and the named aggregates need',
    {
      ...GROUPED,
      query_attributes: ['loud', 'n', 'x'],
      query_aggregates: [
        OF_NOTES,
        { name: 'x', op: 'min', attribute: 'late' },
        { name: 's', op: 'sum', attribute: 'id' },
        { name: 'y', op: 'average', attribute: 'id' },
      ],
      query_sort: [{ attribute: 's' }, { attribute: 'y' }],
    },
    `select "t"."v0", "t"."a0", "t"."a1" from (select same("t"."loud") as "g0", one("t"."loud") as "v0", count("t"."note") as "a0", extreme('min', "t"."late") as "a1", sum("t"."id") as "a2", average("t"."id") as "a3" from (select (loud) as "loud", "t"."note", (late) as "late", "t"."id" from "orders" as "t") as "t" group by 1) as "t" order by "t"."a2" or null, "t"."a3" or null, "t"."v0" or null, "t"."g0" or null ${PAGE}`,
    'select count(*) from (select same("t"."loud") as "g0" from (select (loud) as "loud" from "orders" as "t") as "t" group by 1) as "t"',
  ],
  [
    'groups have nothing of an aggregate that is not named',
    {
      ...GROUPED,
      query_aggregates: [
        { name: 'n', op: 'count' },
        { name: 'x', op: 'min', attribute: 'late' },
      ],
    },
    `select "t"."v0", "t"."a0" from (select same("t"."loud") as "g0", one("t"."loud") as "v0", count(*) as "a0" from (select (loud) as "loud" from "orders" as "t") as "t" group by 1) as "t" order by "t"."v0" or null, "t"."g0" or null ${PAGE}`,
    'select count(*) from (select same("t"."loud") as "g0" from (select (loud) as "loud" from "orders" as "t") as "t" group by 1) as "t"',
  ],
  [
    'parts are computed of the other rows on the way to their order',
    { query_attributes: ['late'], query_sort: [{ attribute: 'customers.towns.loud' }] },
    `select "t"."late" from (select (late) as "late", "t"."house", "t"."id", "t"."customer_id" from (with "found" as materialized (select "t"."id", "t"."house", "t"."customer_id" from "orders" as "t" join ${CUSTOMER} join ${TOWN} where "j1"."loud" is distinct from null order by "j1"."loud", "t"."house", "t"."id" ${PAGE}) select * from "found" union all select * from (select "t"."id", "t"."house", "t"."customer_id" from "orders" as "t" where not exists (select 1 from (select (loud) as "loud", "t"."house", "t"."id", "t"."town_id" from "customers" as "t") as "j0" join ${TOWN} where "j0"."house" = "t"."house" and "j0"."id" = "t"."customer_id" and (bytes("j0"."loud") in (?)) and "j1"."loud" is distinct from null) ${BY_KEY} limit ? - (select count(*) from "found") offset case when ? = 0 or exists (select 1 from "found") then 0 else ? - (select count(*) from "orders" as "t" join ${CUSTOMER} join ${TOWN} where "j1"."loud" is distinct from null) end) as "s") as "t") as "t" left join ${CUSTOMER} left join ${TOWN} order by "j1"."loud" or null, "t"."house", "t"."id"`,
    'select count(*) from "orders" as "t"',
  ],
])('%s', (_, members, rows, count) => {
  const statements = compileQuery(planOf(members), DIALECT, OPTIONS);
  const texts = [statements.rows.sql, statements.count.sql];
  expect(texts.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([rows, count]);
});

/** What a page is selected from. */
function fromOf(plan: Plan, dialect = DIALECT): string {
  return compile(pageClauses(plan, dialect, 0).from, dialect).sql;
}

it('what varies or joins compare is computed before a page is cut', () => {
  const plan = recordsOf({ query_attributes: ['late', 'customers.name'] });
  const { rows, facts } = plan;
  expect(fromOf(plan)).toBe('"orders" as "t"');
  const varies = { inTransaction: false };
  expect(fromOf({ ...plan, facts: { ...facts, varies } })).toContain('(late) as "late"');
  const joins = rows.joins.map((join) => ({
    ...join,
    toOne: { ...join.toOne, columns: ['late'] },
  }));
  expect(fromOf({ ...plan, rows: { ...rows, joins } })).toContain('(late) as "late"');
});

it('counts are taken record by record where one of the compared columns may be equal to others', () => {
  const sorted = { query_sort: [{ attribute: 'n' }], query_related: [COUNT] };
  const plan = recordsOf({ ...OF_CUSTOMERS, ...sorted });
  const related = new Map(
    [...(plan.rows.related ?? [])].map(([column, value]) => {
      const toOne = { ...value.toOne, operators: ['=', '<@'] };
      return [column, { ...value, toOne }] as const;
    }),
  );
  expect(fromOf(plan)).toContain('group by');
  expect(fromOf({ ...plan, rows: { ...plan.rows, related } })).not.toContain('group by');
});

it('an extreme is as it is found where a database sorts it no other way', () => {
  const plan = planOf({ ...OF_CUSTOMERS, query_attributes: ['m'], query_related: [LEAST] });
  const { rows } = compileQuery(plan, { ...plainDialect, rows: pageOf }, OPTIONS);
  expect(rows.sql).toContain('(select (select min("j0"."loud")');
});

it('a term has the type of its column at the end of its path, and none without one', () => {
  const plan = planOf({ query_sort: [{ attribute: 'customers.towns.size' }] });
  expect(orderedFields(plan).map(({ field }) => field.type)).toEqual(['float64', 'int64', 'int64']);
  const [{ field: _, ...term } = { column: 'size' }] = plan.order;
  const ofGroups = planOf({ ...GROUPED, query_aggregates: [OF_NOTES] });
  for (const one of [
    { ...plan, order: [{ ...term, join: 9 }] },
    { ...ofGroups, order: [term] },
  ])
    expect(() => orderedFields(one as Plan)).toThrow('ordered by size, which it does not have.');
});

it('groups have no keys, and a column of others is none of the counts', () => {
  const { keys } = DIALECT;
  expect(keyFields(planOf({ ...GROUPED, query_aggregates: [OF_NOTES] }), keys)).toBeUndefined();
  const sorted = { query_sort: [{ attribute: 'towns.r0' }], query_related: [COUNT] };
  const plan = planOf({ ...OF_CUSTOMERS, ...sorted, query_attributes: ['n'] });
  expect(keyFields(plan, keys)).toHaveLength(3);
});

it.each([
  ['its row alone', true, 3],
  ['other rows', false, undefined],
])('an order by what is computed of %s has as many terms in keys: %j', (_, isOfRow, terms) => {
  const plan = recordsOf({ query_sort: [{ attribute: 'loud' }] });
  const loud = { ...plan.rows.model.columns.get('loud'), computed: { ...LOUD, isOfRow } };
  const columns = new Map([...plan.rows.model.columns, ['loud', loud as ModelColumn]]);
  const rows = { ...plan.rows, model: { ...plan.rows.model, columns } };
  expect(keyFields({ ...plan, rows }, DIALECT.keys)?.length).toBe(terms);
});

it('facets join what they name themselves', () => {
  const facets = ['note', 'customers.name'].map((attribute) => ({ attribute, values: 3 }));
  const body = { query_model: 'orders', query_facets: facets };
  const planning = planFacets(body, CATALOGUE, GRANT);
  if (!planning.ok) throw new Error(JSON.stringify(planning.errors));
  const { plan } = planning;
  const { read } = compileFacets(plan, DIALECT, 9);
  expect(read.sql).toContain('count(*) as "a0" from "orders" as "t" group by 1)');
  const facts = { ...plan.facts, hasSnapshots: false };
  expect(compileFacets({ ...plan, facts }, DIALECT, 9).hasSnapshots).toBe(false);
});

type Joins = NonNullable<Dialect['joins']>;

const isAmong: Joins['isAmong'] = (pairs, rows) =>
  sql`among(${sql.lit(pairs.length)}, ${rows.from}, ${rows.condition ?? sql`any`})`;

const equal: Joins['equal'] = ({ key, held }) => sql`same(${key}, ${held})`;

it('referring records may be looked for among others as a database does it', () => {
  const leads = { related: 'orders', some: leaf('note') };
  const plan = planOf({ ...OF_CUSTOMERS, query_filter: leads });
  const textOf = (joins: Joins): string =>
    compileQuery(plan, { ...DIALECT, joins }, OPTIONS).rows.sql;
  expect(textOf({ equal, isAmong })).toContain(
    'and among(2, "orders" as "j0", (bytes("j0"."note") in (?))))',
  );
  expect(textOf({ equal })).toContain('exists (select 1 from "orders" as "j0" where same(');
});
