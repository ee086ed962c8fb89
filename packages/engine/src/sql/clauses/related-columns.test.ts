import { sql } from 'kysely';
import { expect, it } from 'vitest';

import { catalogueOf, columnOf, tableOf } from '../../../test/unit/models.ts';
import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import { Grant } from '../../catalogue/grant.ts';
import type { Column } from '../../catalogue/relation.ts';
import { type Plan, planQuery } from '../../planning/plan.ts';
import { compile } from '../compile/compile.ts';
import { QueryKeys } from '../prepared/query-keys.ts';
import { cutPage, keyFields } from './page-clauses.ts';
import { pageInParts } from './list-parts.ts';

const GRANT = new Grant(
  new Map([
    ['customers', { attributes: 'all' as const }],
    [
      'orders',
      {
        attributes: 'all' as const,
        rowPolicy: { attribute: 'note', op: 'eq', value: 'x' } as const,
      },
    ],
  ]),
);

/** A plan of customers, whose key has a type of the database. */
function planOf(
  members: object,
  databaseType = 'integer',
  related: object = {},
  heldType = databaseType,
): Plan {
  const column = (name: string): Column => ({ ...columnOf(name, 'int64', false), databaseType });
  const customers = tableOf('customers', [column('id'), columnOf('r0'), columnOf('name')]);
  const orders = tableOf('orders', [
    column('id'),
    { ...column('customer_id'), databaseType: heldType },
    columnOf('note'),
  ]);
  const foreignKeys = [{ columns: ['customer_id'], relation: ['customers'], key: ['id'] }];
  const catalogue = catalogueOf(
    { ...customers, uniqueKeys: customers.keys },
    { ...orders, foreignKeys },
  );
  const body = {
    query_model: 'customers',
    query_attributes: ['name', 'n'],
    query_related: [{ name: 'n', related: 'orders', op: 'count', ...related }],
    page: { page: 1, size: 10 },
    ...members,
  };
  const planning = planQuery(body, catalogue, GRANT);
  if (!planning.ok) throw new Error(JSON.stringify(planning.errors));
  return planning.plan;
}

function textOf(plan: Plan): string {
  const columns = plan.attributes.map(({ column }) => sql.id('t', column));
  return compile(cutPage(columns, pageInParts(plan, plainDialect, 0)), plainDialect).sql;
}

const OF_ONE =
  '(select count(*) from "orders" as "j0" where "t"."id" = "j0"."customer_id" and (bytes("j0"."note") in (?)))';
const OF_ALL =
  '(select "j0"."customer_id" as "k0", count(*) as "a" from "orders" as "j0" where "j0"."customer_id" is not null and (bytes("j0"."note") in (?)) group by 1) as "r1" on "t"."id" = "r1"."k0"';
const SORTED = { query_sort: [{ attribute: 'n', direction: 'desc' }] };

it('counts for the records of a page what the page only shows', () => {
  expect(textOf(planOf({}))).toContain(
    `${OF_ONE} as "r1", "t"."id" from (select "t"."name", "t"."id"`,
  );
  expect(textOf(planOf({ query_attributes: ['name'] }))).not.toContain('orders');
});

it('groups the referring records once where the order or the filter names a count', () => {
  expect(textOf(planOf(SORTED))).toContain(`left join ${OF_ALL}`);
  const filtered = planOf({ query_filter: { attribute: 'n', op: 'gt', value: '1' } });
  expect(textOf(filtered)).toContain(`left join ${OF_ALL}`);
  expect(textOf(planOf(SORTED, 'uuid'))).toContain(`left join ${OF_ALL}`);
});

it.each(['varchar(20)', 'citext', 'numeric', '', 'integer[]'])(
  'counts record by record where equal values of %s may be equal to different keys',
  (type) => {
    const text = textOf(planOf(SORTED, type));
    expect(text).toContain(OF_ONE);
    expect(text).not.toContain('group by');
  },
);

it.each([
  ['integer', 'text'],
  ['text', 'integer'],
  ['uuid', 'text'],
  ['text', 'uuid'],
])('counts record by record where a key of %s is compared with %s', (key, held) => {
  expect(textOf(planOf(SORTED, key, {}, held))).not.toContain('group by');
});

it('has no keys where it is sorted by a count, which each read would take of all records', () => {
  const { keys } = plainDialect;
  expect(keyFields(planOf({}), keys)?.map(({ term }) => term.column)).toEqual(['id']);
  expect(keyFields(planOf({ query_sort: [{ attribute: 'r0' }] }), keys)).toHaveLength(2);
  expect(keyFields(planOf(SORTED), keys)).toBeUndefined();
});

it('keeps lists with other counts apart, and shares the total of those that filter by none', () => {
  const [one, other] = [
    planOf(SORTED),
    planOf(SORTED, 'integer', { filter: { attribute: 'note', op: 'eq', value: 'y' } }),
  ];
  expect(new QueryKeys(one).totalKey).toBe(new QueryKeys(other).totalKey);
  expect(new QueryKeys(one).orderKey).not.toBe(new QueryKeys(other).orderKey);
  const shown = [{}, { op: 'max', attribute: 'id' }, { op: 'count', attribute: 'note' }].map(
    (related) => new QueryKeys(planOf({}, 'integer', related)).key,
  );
  expect(new Set(shown).size).toBe(3);
});
