import { expect, it } from 'vitest';

import { catalogueOf, columnOf, tableOf } from '../../test/unit/models.ts';
import { EVERYTHING } from '../catalogue/grant.ts';
import { planFacets } from './plan-facets.ts';
import { planExport, planQuery, planWatch } from './plan.ts';

const CATALOGUE = catalogueOf(
  tableOf('notes', [columnOf('id', 'int64', false), columnOf('word'), columnOf('at', 'timestamp')]),
);

const LIST = {
  query_model: 'notes',
  query_attributes: ['word'],
  page: { page: 1, size: 10 },
};

const COUNT = { name: 'n', op: 'count' };

const SUM = { name: 's', op: 'sum', attribute: 'id' };

const GROUPS = {
  ...LIST,
  query_attributes: ['at.month', 'n', 's'],
  query_groups: [{ attribute: 'at', by: 'month' }],
  query_aggregates: [COUNT, SUM],
  query_sort: [{ attribute: 's' }],
  query_group_filter: { attribute: 'n', op: 'gt', value: '1' },
};

const { query_groups: _, query_group_filter: __, ...UNGROUPED } = GROUPS;

const LEAF = { attribute: 'word', op: 'eq', value: 'a' };

const FACET = { attribute: 'word', values: 3 };

function errorsOf(body: object): string[] {
  const plan = 'query_facets' in body || 'facets' in body ? planFacets : planQuery;
  const planning = plan(body, CATALOGUE, EVERYTHING);
  return planning.ok
    ? []
    : planning.errors.map(({ pointer, code, did_you_mean: meant = '' }) =>
        `${pointer} ${code} ${meant}`.trim(),
      );
}

it('a request for groups, for records and for facets that are right have no error', () => {
  expect(errorsOf(GROUPS)).toEqual([]);
  expect(errorsOf({ ...LIST, query_filter: LEAF })).toEqual([]);
  expect(errorsOf({ query_model: 'notes', query_facets: [FACET] })).toEqual([]);
});

/** A request for groups whose second aggregate is another. */
function secondAggregate(second: object): object {
  return { ...GROUPS, query_aggregates: [COUNT, second] };
}

function filter(leaf: object): object {
  return { ...LIST, query_filter: leaf };
}

function facet(one: object): object {
  return { query_model: 'notes', query_facets: [one] };
}

it.each<[string, object]>([
  ['/query_aggregates/1/op invalid_value', secondAggregate({ ...SUM, op: 'total' })],
  [
    '/query_aggregates/1/attribut unknown_member attribute',
    secondAggregate({ name: 's', op: 'sum', attribut: 'id' }),
  ],
  ['/query_aggregates/1/name missing_member', secondAggregate({ op: 'sum', attribute: 'id' })],
  [
    '/query_aggregates/2/name duplicate_attribute',
    { ...GROUPS, query_aggregates: [COUNT, SUM, { ...SUM, op: 'average' }] },
  ],
  ['/query_aggregates/1 invalid_groups', secondAggregate({ name: 's', op: 'sum' })],
  ['/query_aggregates/1/attribute unknown_attribute', secondAggregate({ ...SUM, attribute: 'x' })],
  [
    '/query_aggregates/1/name invalid_groups',
    {
      ...GROUPS,
      query_aggregates: [COUNT, { ...SUM, name: 'a b' }],
      query_attributes: ['n', 'a b'],
      query_sort: [{ attribute: 'a b' }],
    },
  ],
  ['/query_aggregates invalid_type', { ...GROUPS, query_aggregates: 'count' }],
  [
    '/query_aggregates too_many_groups',
    { ...GROUPS, query_aggregates: [SUM, ...Array.from({ length: 10 }, () => COUNT)] },
  ],
  ['/query_aggregates invalid_groups', UNGROUPED],
  [
    '/query_groups/0/by invalid_value',
    { ...GROUPS, query_groups: [{ attribute: 'at', by: 'mouth' }] },
  ],
  [
    '/query_groups/0/per unknown_member',
    { ...GROUPS, query_groups: [{ attribute: 'at', per: 'month' }] },
  ],
  ['/query_groups invalid_type', { ...GROUPS, query_groups: 'at' }],
  ['/query_groups invalid_groups', { ...GROUPS, query_groups: [] }],
  [
    '/attributes unknown_member query_attributes',
    { ...LIST, query_attributes: undefined, attributes: ['id'] },
  ],
  [
    '/query_sort/0/atribute unknown_member attribute',
    { ...LIST, query_sort: [{ atribute: 'id' }] },
  ],
  ['/page/pge unknown_member page', { ...LIST, page: { pge: 1, size: 10 } }],
  ['/page/containing/ID unknown_member', { ...LIST, page: { containing: { ID: 1 }, size: 10 } }],
  ['/query_filter/op unknown_operator', filter({ ...LEAF, op: 'equals' })],
  ['/query_filter/opp unknown_member op', filter({ attribute: 'word', opp: 'eq', value: 'a' })],
  [
    '/query_filter/values unknown_member value',
    filter({ attribute: 'word', op: 'eq', values: 'a' }),
  ],
  ['/query_filter/And unknown_member and', filter({ And: [LEAF] })],
  [
    '/query_filter/and/0/not/vlaue unknown_member value',
    filter({ and: [{ not: { attribute: 'word', op: 'eq', vlaue: 'a' } }] }),
  ],
  ['/query_filter/soem unknown_member some', filter({ related: 'notes', soem: {} })],
  ['/query_facets/0/value unknown_member values', facet({ attribute: 'word', value: 3 })],
  ['/query_facets/0/atribute unknown_member attribute', facet({ atribute: 'word', values: 3 })],
  [
    '/query_facets/0/query_filter/opp unknown_member op',
    facet({ ...FACET, query_filter: { attribute: 'word', opp: 'eq', value: 'a' } }),
  ],
  ['/facets unknown_member query_facets', { query_model: 'notes', facets: [FACET] }],
])('one mistake is one error: %s', (error, body) => {
  // As JSON has it: a member that is undefined is not there.
  expect(errorsOf(JSON.parse(JSON.stringify(body)) as object)).toEqual([error]);
});

it('a name that no malformed aggregate gives is an error beside that of the aggregate', () => {
  const body = { ...GROUPS, ...secondAggregate({ ...SUM, op: 'total' }) };
  expect(errorsOf({ ...body, query_sort: [{ attribute: 'nothing' }] })).toEqual([
    '/query_aggregates/1/op invalid_value',
    '/query_sort/0/attribute unknown_attribute',
  ]);
});

it('a name that no malformed group gives is an error beside that of the group', () => {
  const query_groups = ['word', { attribute: 'at', by: 'mouth' }];
  const body = { ...GROUPS, query_groups, query_attributes: ['word'] };
  expect(errorsOf({ ...body, query_sort: [{ attribute: 'nothing' }] })).toEqual([
    '/query_groups/1/by invalid_value',
    '/query_sort/0/attribute unknown_attribute',
  ]);
});

it('misspelt members of exports and watches are noticed as well', () => {
  const viewer = { catalogue: CATALOGUE, grant: EVERYTHING };
  const { page: _page, query_attributes: query_atributes, ...list } = LIST;
  const meant = { errors: [{ did_you_mean: 'query_attributes' }] };
  expect(planExport({ ...list, query_atributes }, viewer)).toMatchObject(meant);
  expect(planWatch({ ...list, query_atributes }, viewer)).toMatchObject(meant);
});

it('an attribute that a filter takes for a member is not taken for another member of filters', () => {
  expect(errorsOf(filter({ name: 'a' }))).toEqual([
    '/query_filter/name unknown_member',
    '/query_filter/attribute missing_member',
    '/query_filter/op missing_member',
  ]);
});
