import { describe, expect, it } from 'vitest';

import { planQuery } from '../planning/plan.ts';
import { buildCatalogue } from './build.ts';
import { type Grant, visibleModel } from './grant.ts';
import type { Relation } from './relation.ts';

const column = (name: string) =>
  ({ name, databaseType: 'TEXT', type: 'text', nullable: true, description: null }) as const;
const orders: Relation = {
  path: ['orders'],
  name: 'orders',
  kind: 'table',
  columns: [{ ...column('id'), nullable: false }, column('customer'), column('region')],
  keys: [[{ column: 'id' }]],
  description: null,
};
const { catalogue } = buildCatalogue([orders, { ...orders, name: 'secrets', path: ['secrets'] }], {
  expose: 'all',
  models: {},
  maxPageSize: 1000,
});

const REGION = { attribute: 'region', op: 'eq', value: 'eu' } as const;
const analyst: Grant = {
  models: new Map([
    ['orders', { attributes: new Set(['id', 'customer']), maxPageSize: 50, rows: REGION }],
  ]),
};

function plan(members: object, grant: Grant = analyst) {
  return planQuery(
    { query_model: 'orders', query_attributes: ['id'], page: { page: 1, size: 10 }, ...members },
    catalogue,
    grant,
  );
}

/**
 * The faults with every occurrence of a name replaced, for comparing replies about different names.
 */
function faults(members: object, name: string): string {
  const planning = plan(members);
  return planning.ok ? 'no fault' : JSON.stringify(planning.faults).replaceAll(name, 'NAME');
}

describe('a grant', () => {
  it('shows the attributes that it names, and no larger pages than it allows', () => {
    const model = visibleModel(catalogue, analyst, 'orders')?.model;
    expect([...(model?.attributes.keys() ?? [])]).toEqual(['id', 'customer']);
    expect(model?.maxPageSize).toBe(50);
  });

  it('gives the same narrowed model each time', () => {
    expect(visibleModel(catalogue, analyst, 'orders')?.model).toBe(
      visibleModel(catalogue, analyst, 'orders')?.model,
    );
  });

  it.each([
    ['requested', (name: string) => ({ query_attributes: [name] })],
    [
      'filtered by',
      (name: string) => ({ query_filter: { attribute: name, op: 'eq', value: 'eu' } }),
    ],
    ['sorted by', (name: string) => ({ query_sort: [{ attribute: name }] })],
  ])(
    'answers for a hidden attribute as for one that does not exist, when it is %s',
    (_place, members) => {
      expect(faults(members('region'), 'region')).toBe(faults(members('nonono'), 'nonono'));
    },
  );

  it('answers for a hidden model as for one that does not exist', () => {
    expect(faults({ query_model: 'secrets' }, 'secrets')).toBe(
      faults({ query_model: 'nothing' }, 'nothing'),
    );
  });
});

describe('the rows of a grant', () => {
  it('restrict a query without a filter, also by an attribute that the caller does not see', () => {
    expect(plan({})).toMatchObject({
      plan: { condition: { op: 'eq', values: ['eu'], attribute: { name: 'region' } } },
    });
  });

  it('stand before the filter of the caller, whatever it says', () => {
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

  it('that do not fit the model let nothing through', () => {
    const broken: Grant = {
      models: new Map([['orders', { attributes: 'all', rows: { ...REGION, attribute: 'gone' } }]]),
    };
    expect(() => plan({}, broken)).toThrow('The row filter of orders does not fit the model.');
  });
});
