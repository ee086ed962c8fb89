import { expect, it } from 'vitest';

import { catalogueOf, columnOf, tableOf } from '../../test/unit/models.ts';
import { EVERYTHING } from '../catalogue/grant.ts';
import { planFacets } from './plan-facets.ts';
import { planQuery } from './plan.ts';

const ID = columnOf('id', 'int64', false);
const CUSTOMERS = tableOf('customers', [ID, columnOf('name')]);
const ORDERS = tableOf('orders', [
  ID,
  columnOf('customer_id', 'int64'),
  columnOf('note'),
  columnOf('tags', 'json'),
  columnOf('day', 'date'),
  columnOf('at', 'timestamp_tz'),
]);
const PAIRS = tableOf('pairs', [ID, columnOf('b', 'date', false)]);

/** More than a request may look along. */
const MANY = Array.from({ length: 9 }, (_, index) => ({
  ...tableOf(`many${index}`, [ID]),
  foreignKeys: [{ columns: ['id'], relation: ['customers'], key: ['id'] }],
}));

const along = (count: number): object => ({
  and: MANY.slice(0, count).map(({ name }) => ({ related: name, some: {} })),
});

const CATALOGUE = catalogueOf(
  { ...CUSTOMERS, uniqueKeys: [[{ column: 'id' }]] },
  {
    ...ORDERS,
    uniqueKeys: [[{ column: 'id' }]],
    foreignKeys: [{ columns: ['customer_id'], relation: ['customers'], key: ['id'] }],
  },
  { ...PAIRS, keys: [[{ column: 'id' }, { column: 'b' }]] },
  {
    ...tableOf('documents', [ID, columnOf('json', 'json', false)]),
    keys: [[{ column: 'id' }, { column: 'json' }]],
  },
  ...MANY,
);

const ZONE = { time_zone: 'Europe/Paris' };
const LEAF = { attribute: 'id', op: 'eq', value: 1 };

/** The errors of a request, as one text each. */
function refusalsOf(body: object): string[] {
  const plan = 'query_facets' in body ? planFacets : planQuery;
  const planning = plan(body, CATALOGUE, EVERYTHING);
  const errors = planning.ok ? [] : planning.errors;
  return errors.map(({ pointer, code, detail, did_you_mean: meant = 'nothing' }) => {
    return `${pointer} ${code} ${detail} ${meant}`;
  });
}

function list(query_model: string, members: object): object {
  return { query_model, query_attributes: ['id'], page: { page: 1, size: 10 }, ...members };
}

/** A list of groups by one more attribute than the note. */
function groups(group: unknown, members: object = {}): object {
  const query_groups = ['note', group];
  return list('orders', { query_attributes: ['note'], query_groups, ...members });
}

const named = (attribute: string) => list('orders', { query_attributes: [attribute] });
const pair = (containing: object) => list('pairs', { page: { size: 1, containing } });
const facet = (one: object) => ({ query_model: 'orders', query_facets: [one] });
const unknownPath = (name: string, meant: string) =>
  `/query_attributes/0 unknown_attribute "orders" has no attribute named "${name}". ${meant}`;

it.each<[string, object]>([
  ['/query_groups/1 not_groupable tags is json, which has no groups. nothing', groups('tags')],
  [
    '/query_groups/1/attribute not_groupable tags is json, which has no groups. nothing',
    groups({ attribute: 'tags', by: 'day' }),
  ],
  [
    '/query_groups/1/by not_groupable id is int64, which has no parts of time. nothing',
    groups({ attribute: 'id', by: 'day' }),
  ],
  [
    '/query_groups/1/by not_groupable day is date, which takes year, quarter, month, week, day. ' +
      'nothing',
    groups({ attribute: 'day', by: 'hour' }),
  ],
  [
    '/query_groups/1/time_zone unknown_time_zone There is no time zone named "Europe/Pariss". ' +
      'Europe/Paris',
    groups({ attribute: 'at', by: 'day', time_zone: 'Europe/Pariss' }),
  ],
  [
    '/query_groups/1/time_zone time_zone_not_applicable ' +
      'at takes a zone for days, hours and bins only. nothing',
    groups({ attribute: 'at', ...ZONE }),
  ],
  [
    '/query_groups/1/time_zone time_zone_not_applicable day is date, which has no zone. nothing',
    groups({ attribute: 'day', by: 'month', ...ZONE }),
  ],
  [
    '/query_aggregates/0/op not_groupable note is text; it has count, count_distinct, min, max. ' +
      'nothing',
    groups('id', { query_aggregates: [{ name: 's', op: 'sum', attribute: 'note' }] }),
  ],
  [
    '/query_attributes/0 unknown_attribute ' +
      'No group attribute or aggregate of the request is named "nots". note',
    groups('id', { query_attributes: ['nots'] }),
  ],
  [
    '/query_group_filter/related unknown_attribute No related records can be named here. nothing',
    groups('id', { query_group_filter: { related: 'orders', some: LEAF } }),
  ],
  [unknownPath('nots', 'note'), named('nots')],
  [unknownPath('customr.name', 'customer.name'), named('customr.name')],
  [unknownPath('customer.names', 'customer.name'), named('customer.names')],
  [unknownPath('customr.nam', 'customer.name'), named('customr.nam')],
  [unknownPath('customer.zzzzz', 'nothing'), named('customer.zzzzz')],
  [unknownPath('x.name', 'nothing'), named('x.name')],
  [unknownPath('xxxxxxxx.name', 'nothing'), named('xxxxxxxx.name')],
  [unknownPath('nam.id', 'nothing'), named('nam.id')],
  [unknownPath('custommer', 'nothing'), named('custommer')],
  [
    '/query_filter/time_zone unknown_time_zone There is no time zone named "Mars". nothing',
    list('orders', {
      query_filter: { attribute: 'at', op: 'on', value: '2024-01-01', time_zone: 'Mars' },
    }),
  ],
  [
    '/query_filter/and/0/value/1 invalid_value ' +
      '/query_filter/and/0/value/1: expected a string. nothing',
    list('orders', { query_filter: { and: [{ attribute: 'note', op: 'in', value: ['a', 1] }] } }),
  ],
  [
    '/query_related/0/name duplicate_attribute "customers" has an attribute named "name". nothing',
    list('customers', { query_related: [{ name: 'name', related: 'orders', op: 'count' }] }),
  ],
  [
    '/query_filter/related unknown_attribute ' +
      'Nothing refers to "customers" by the name "order". orders',
    list('customers', { query_filter: { related: 'order', some: LEAF } }),
  ],
  [
    '/query_filter/related unknown_attribute ' +
      'Nothing refers to "pairs" by the name "orders". nothing',
    list('pairs', { query_filter: { related: 'orders', some: LEAF } }),
  ],
  [
    '/query_filter/none/attribute unknown_attribute "orders" has no attribute named "y". nothing',
    list('customers', { query_filter: { related: 'orders', none: { ...LEAF, attribute: 'y' } } }),
  ],
  [
    '/query_filter/and/8/related too_many_relations /query_filter/and/8/related: ' +
      'a request looks along at most 8 different paths. nothing',
    list('customers', { query_filter: along(9) }),
  ],
  [
    '/query_filter/value invalid_value ' +
      '/query_filter/value: expected a day, such as "2026-01-31". nothing',
    list('orders', { query_filter: { attribute: 'at', op: 'on', value: '2023-02-29' } }),
  ],
  [
    '/page/containing/b missing_member ' +
      '/page/containing/b is required: it is a part of the key. nothing',
    pair({ id: '1' }),
  ],
  [
    '/page/containing/b invalid_value ' +
      '/page/containing/b: expected a date, such as "2026-01-31". nothing',
    pair({ id: '1', b: 'x' }),
  ],
  [
    '/page/containing/c unknown_member ' +
      '/page/containing/c: the key is "id", "b", and nothing else. nothing',
    pair({ id: '1', c: 'x' }),
  ],
  [
    '/page/containing no_visible_key /page/containing: the records of "documents" cannot be ' +
      'named: a part of its key is shown by two attributes, or takes no "eq". nothing',
    list('documents', {
      page: { size: 1, containing: { id: 1, json: 1 } },
    }),
  ],
  [
    '/query_total/up_to invalid_query_total ' +
      '/query_total/up_to: at most 1000000 records are counted; "exact" counts all. nothing',
    list('orders', { query_total: { up_to: 1_000_001 } }),
  ],
  [
    '/query_total/up_to invalid_query_total ' +
      '/query_total/up_to: expected a whole number from 1 to 1000000. nothing',
    list('orders', { query_total: { up_to: 0 } }),
  ],
  [
    '/query_facets/0/attribute not_facetable "tags" is json, which has no facet of values. nothing',
    facet({ attribute: 'tags', values: 3 }),
  ],
  [
    '/query_facets/0/attribute not_facetable "note" is text, which has no facet of bins. nothing',
    facet({ attribute: 'note', bins: 3 }),
  ],
  [
    '/query_facets/0/attribute unknown_attribute "orders" has no attribute named "x". nothing',
    facet({ attribute: 'x', values: 3 }),
  ],
  [
    '/query_facets/0/time_zone unknown_time_zone There is no time zone named "Mars". nothing',
    facet({ attribute: 'at', bins: 3, time_zone: 'Mars' }),
  ],
  [
    '/query_facets/0/time_zone time_zone_not_applicable ' +
      'at takes a zone for days, hours and bins only. nothing',
    facet({ attribute: 'at', values: 3, ...ZONE }),
  ],
  [
    '/query_facets/0/query_filter/attribute unknown_attribute ' +
      '"orders" has no attribute named "y". nothing',
    facet({ attribute: 'note', values: 3, query_filter: { ...LEAF, attribute: 'y' } }),
  ],
  [
    '/query_model unknown_model No model is named "order". orders',
    { ...facet({ attribute: 'id', values: 3 }), query_model: 'order' },
  ],
])('says where and what is wrong, and what was probably meant: %s', (refusal, body) => {
  expect(refusalsOf(body)).toEqual([refusal]);
});

it('plans requests that name zones, records, paths and groups by their right names', () => {
  const bodies = [
    groups({ attribute: 'at', by: 'hour', ...ZONE }),
    groups({ attribute: 'at', by: 'day' }),
    named('customer.name'),
    pair({ id: '1', b: '2026-01-31' }),
    list('orders', { query_total: { up_to: 1_000_000 } }),
    list('orders', {
      query_filter: { attribute: 'at', op: 'on', value: '2024-02-29', ...ZONE },
    }),
    list('customers', { query_filter: along(8) }),
    facet({ attribute: 'at', bins: 3, ...ZONE }),
    facet({ attribute: 'note', values: 3, query_filter: LEAF }),
  ];
  expect(bodies.flatMap(refusalsOf)).toEqual([]);
});

it('names each part of a key that is wrong, but none that is missing beside another', () => {
  expect(refusalsOf(pair({ id: true, c: 'x' })).map((text) => text.split(':')[0])).toEqual([
    '/page/containing/id invalid_value /page/containing/id',
    '/page/containing/c unknown_member /page/containing/c',
  ]);
});
