import type { Filter } from '@proj/contract';
import { describe, expect, it } from 'vitest';

import { buildCatalogue } from '../catalogue/build/build.ts';
import { Grant } from '../catalogue/grant.ts';
import type { Relation } from '../catalogue/relation.ts';
import { planQuery } from './plan.ts';
import { rowPolicyErrors } from './plan-filter.ts';

const column = (name: string) =>
  ({ name, databaseType: 'TEXT', type: 'text', nullable: true, description: null }) as const;
const ORDERS: Relation = {
  path: ['orders'],
  name: 'orders',
  kind: 'table',
  columns: [{ ...column('id'), nullable: false }, column('customer'), column('region')],
  keys: [[{ column: 'id' }]],
  description: null,
};
const { catalogue } = buildCatalogue([ORDERS, { ...ORDERS, name: 'secrets', path: ['secrets'] }], {
  expose: 'all',
  models: {},
  maxPageSize: 1000,
});

const REGION = { attribute: 'region', op: 'eq', value: 'eu' } as const;

function ordersWith(rowPolicy: Filter): Grant {
  const attributes = new Set(['id', 'customer']);
  return new Grant(new Map([['orders', { attributes, rowPolicy }]]));
}

function plan(members: object, grant = ordersWith(REGION)) {
  return planQuery(
    { query_model: 'orders', query_attributes: ['id'], page: { page: 1, size: 10 }, ...members },
    catalogue,
    grant,
  );
}

describe('a row policy', () => {
  it('is the condition of a query and of its groups, also over a hidden attribute', () => {
    const condition = { op: 'eq', values: ['eu'], attribute: { name: 'region' } };
    expect(plan({})).toMatchObject({ plan: { condition } });
    const groups = { query_groups: ['customer'], query_attributes: ['customer'] };
    expect(plan(groups)).toMatchObject({ plan: { condition: undefined, rows: { condition } } });
  });

  it('comes before the filter of the caller, whatever that says', () => {
    const query_filter = {
      or: [
        { attribute: 'customer', op: 'is_null' },
        { attribute: 'customer', op: 'is_null', value: false },
      ],
    };
    expect(plan({ query_filter })).toMatchObject({
      plan: { condition: { and: [{ values: ['eu'] }, { or: [{}, {}] }] } },
    });
  });

  it.each<[string, Filter]>([
    ['names an attribute that is gone', { ...REGION, attribute: 'gone' }],
    ['has a part that does not fit', { and: [REGION, { ...REGION, attribute: 'gone' }] }],
  ])('lets nothing through where it %s', (_what, policy) => {
    expect(() => plan({}, ordersWith(policy))).toThrow(
      'The row policy of orders does not fit the model.',
    );
  });
});

describe('the errors of a row policy', () => {
  const model = catalogue.get('orders');
  if (model === undefined) throw new Error('There is no such model.');

  it.each<[unknown, [string, string][]]>([
    [REGION, []],
    ['region', [['', 'invalid_type']]],
    [{ ...REGION, attribute: 'gone' }, [['/attribute', 'unknown_attribute']]],
    [{ and: [REGION, { ...REGION, value: 1 }] }, [['/and/1/value', 'invalid_value']]],
  ])('of %j are %j', (policy, expected) => {
    const found = rowPolicyErrors(policy, model).map(({ pointer, code }) => [pointer, code]);
    expect(found).toEqual(expected);
  });

  it('suggest the attribute that was meant', () => {
    const found = rowPolicyErrors({ ...REGION, attribute: 'regio' }, model);
    expect(found).toMatchObject([{ did_you_mean: 'region' }]);
  });
});
