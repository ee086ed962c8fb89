import { expect, it } from 'vitest';

import { catalogueOf, columnOf, tableOf } from '../../test/unit/models.ts';
import { EVERYTHING, Grant } from '../catalogue/grant.ts';
import { type Plan, planExport, planQuery, planWatch } from './plan.ts';
import { planFacets } from './plan-facets.ts';

const CUSTOMERS = tableOf('customers', [
  columnOf('id', 'int64', false),
  columnOf('name'),
  columnOf('r0', 'int64'),
  columnOf('secret'),
]);

const ORDERS = {
  ...tableOf('orders', [
    columnOf('id', 'int64', false),
    columnOf('customer_id', 'int64'),
    columnOf('amount', 'decimal'),
    columnOf('note'),
    columnOf('tags', 'json'),
  ]),
  uniqueKeys: [[{ column: 'id' }]],
  foreignKeys: [{ columns: ['customer_id'], relation: ['customers'], key: ['id'] }],
};

const CATALOGUE = catalogueOf({ ...CUSTOMERS, uniqueKeys: [[{ column: 'id' }]] }, ORDERS);

const VIEWER = { catalogue: CATALOGUE, grant: EVERYTHING };

const COUNT = { name: 'orders_count', related: 'orders', op: 'count' };

const DEAREST = { name: 'dearest', related: 'orders', op: 'max', attribute: 'amount' };

function bodyOf(query_related: unknown, members: object = {}): object {
  const page = { page: 1, size: 10 };
  const lists = { query_model: 'customers', query_attributes: ['name'], page, query_related };
  return JSON.parse(JSON.stringify({ ...lists, ...members })) as object;
}

/** The errors of a list with these counts and aggregates. */
function errorsOf(related: unknown, members: object = {}, grant: Grant = EVERYTHING): string[] {
  const planning = planQuery(bodyOf(related, members), CATALOGUE, grant);
  return planning.ok
    ? []
    : planning.errors.map(({ pointer, code, did_you_mean: meant = '' }) =>
        `${pointer} ${code} ${meant}`.trim(),
      );
}

const leaf = (attribute: string, value: unknown = '1'): object => ({ attribute, op: 'gt', value });

const EVERYWHERE = {
  query_attributes: ['name', 'orders_count', 'dearest'],
  query_filter: { and: [leaf('orders_count'), leaf('dearest')] },
  query_sort: [{ attribute: 'orders_count', direction: 'desc' }, { attribute: 'dearest' }],
};

const GROUPED = {
  query_attributes: ['orders_count', 'most'],
  query_groups: ['orders_count'],
  query_aggregates: [{ name: 'most', op: 'max', attribute: 'dearest' }],
  query_filter: leaf('orders_count'),
};

it('names attributes of the request, wherever attributes are named', () => {
  expect(errorsOf([COUNT, DEAREST], EVERYWHERE)).toEqual([]);
  expect(errorsOf([COUNT, DEAREST], GROUPED)).toEqual([]);
  expect(errorsOf(undefined, { query_attributes: ['orders_count'] })).toEqual([
    '/query_attributes/0 unknown_attribute',
  ]);
});

const FACETS = {
  query_model: 'customers',
  query_filter: leaf('dearest'),
  query_facets: [{ attribute: 'orders_count', values: 5, query_filter: leaf('orders_count') }],
};

it('names attributes of facets', () => {
  const body = { ...FACETS, query_related: [COUNT, DEAREST] };
  expect(planFacets(body, CATALOGUE, EVERYTHING)).toMatchObject({ ok: true });
});

it.each([
  ['/query_related/0/related', [{ ...COUNT, related: 'x' }, DEAREST]],
  ['/query_related/0/op', [{ ...COUNT, op: 'sum_of' }, DEAREST]],
])('adds no error to the one of facets at %s', (pointer, query_related) => {
  const planning = planFacets({ ...FACETS, query_related }, CATALOGUE, EVERYTHING);
  expect(planning).toMatchObject({ ok: false, errors: [{ pointer }] });
});

it('is of exports and watches, too', () => {
  const { page: _, ...list } = bodyOf([COUNT, DEAREST], EVERYWHERE) as { page: object };
  expect(planExport(list, VIEWER)).toMatchObject({ ok: true });
  expect(planWatch(list, VIEWER)).toMatchObject({ ok: true });
});

it('reads the related model, which no change feed describes with the list', () => {
  const planning = planQuery(bodyOf([COUNT]), CATALOGUE, EVERYTHING);
  const models = planning.ok ? planning.plan.models.map(({ name }) => name) : [];
  expect(models).toEqual(['customers', 'orders']);
  expect(planning).toMatchObject({ plan: { facts: { followable: undefined } } });
});

it.each<[string, unknown, object]>([
  ['/query_related/0/name duplicate_attribute', [{ ...COUNT, name: 'name' }], {}],
  [
    '/query_related/1/name duplicate_attribute',
    [COUNT, { ...DEAREST, name: 'orders_count' }],
    { query_attributes: ['orders_count'] },
  ],
  ['/query_related/0/related unknown_attribute orders', [{ ...COUNT, related: 'order' }], {}],
  ['/query_related/0/attribute unknown_attribute amount', [{ ...DEAREST, attribute: 'amont' }], {}],
  ['/query_related/0/op not_groupable', [{ ...DEAREST, attribute: 'tags' }], {}],
  [
    '/query_related/0/filter/attribute unknown_attribute',
    [{ ...COUNT, filter: leaf('orders_count') }],
    {},
  ],
  [
    '/query_related/0/filter/opp unknown_member op',
    [{ ...COUNT, filter: { attribute: 'note', opp: 'eq', value: '' } }],
    {},
  ],
  ['/query_related/0/op invalid_value', [{ ...COUNT, op: 'sum_of' }, DEAREST], EVERYWHERE],
  [
    '/query_filter/none/attribute unknown_attribute',
    [COUNT],
    { query_filter: { related: 'orders', none: leaf('x') } },
  ],
  [
    '/query_related/0/op invalid_value',
    [{ ...COUNT, op: 'sum_of' }],
    { query_filter: { related: 'orders', some: leaf('id') } },
  ],
  ['/query_related/1 invalid_related', [COUNT, { ...DEAREST, attribute: undefined }], EVERYWHERE],
  ['/query_related/1/related unknown_attribute', [COUNT, { ...DEAREST, related: 'x' }], EVERYWHERE],
  ['/query_related/1/related unknown_attribute', [COUNT, { ...DEAREST, related: 'x' }], GROUPED],
  [
    '/query_related/0/releated unknown_member related',
    [{ ...COUNT, related: undefined, releated: 'orders' }],
    {},
  ],
  ['/query_related invalid_type', { orders_count: COUNT }, EVERYWHERE],
  [
    '/query_attributes/0 unknown_attribute orders_count',
    [COUNT],
    { query_attributes: ['order_count'] },
  ],
])('one mistake is one error: %s', (error, related, members) => {
  expect(errorsOf(related, members)).toEqual([error]);
});

/** Sees customers without their secret, and of orders some attributes. */
function grantOf(orders?: readonly string[]): Grant {
  const visible = { attributes: new Set(['id', 'name', 'r0']) };
  const models = new Map([['customers', visible] as const]);
  return new Grant(
    orders === undefined
      ? models
      : new Map([...models, ['orders', { attributes: new Set(orders) }]]),
  );
}

it('says the same of hidden models and attributes as of those that are not there', () => {
  const absent = errorsOf([{ ...COUNT, related: 'visits' }]);
  expect(errorsOf([COUNT], {}, grantOf())).toEqual(absent);
  expect(errorsOf([COUNT], {}, grantOf(['id']))).toEqual(absent);
  const some = grantOf(['id', 'customer_id']);
  expect(errorsOf([COUNT], {}, some)).toEqual([]);
  expect(errorsOf([DEAREST], {}, some)).toEqual(['/query_related/0/attribute unknown_attribute']);
  expect(errorsOf([{ ...COUNT, filter: leaf('amount') }], {}, some)).toEqual([
    '/query_related/0/filter/attribute unknown_attribute',
  ]);
});

it('hides no error of an attribute that another without a name may be', () => {
  const { name: _, ...unnamed } = COUNT;
  expect(errorsOf([unnamed], { query_filter: leaf('id', 'x') })).toEqual([
    '/query_related/0/name missing_member',
    '/query_filter/value invalid_value',
  ]);
});

it('is never NULL where it counts, and may be in any other', () => {
  const distinct = { ...DEAREST, name: 'amounts', op: 'count_distinct' };
  const asked = { query_attributes: ['orders_count', 'amounts', 'dearest'] };
  const { plan } = planQuery(bodyOf([COUNT, distinct, DEAREST], asked), CATALOGUE, EVERYTHING) as {
    plan: Plan;
  };
  expect(plan.attributes.map(({ nullable }) => nullable)).toEqual([false, false, true]);
});

it('counts the paths of a request with those of its counts', () => {
  const related = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
    ...DEAREST,
    name,
    attribute: 'customer.id',
  }));
  const along = { related: 'orders', some: leaf('customer.id') };
  const filtered = (and: object[]): string[] => errorsOf(related, { query_filter: { and } });
  expect(filtered([along, along])).toEqual([]);
  expect(filtered([along, along, along])).toEqual([
    '/query_filter/and/2/some/attribute too_many_relations',
  ]);
});
