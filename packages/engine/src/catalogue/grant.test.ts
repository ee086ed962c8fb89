import type { Filter } from '@proj/contract';
import { describe, expect, it } from 'vitest';

import { catalogueOf, columnOf, tableOf } from '../../test/unit/models.ts';
import { EVERYTHING, Grant, type ModelGrant, visibleModel } from './grant.ts';

function keyOf(...models: [string, ModelGrant][]): string {
  return new Grant(new Map(models)).key;
}

function withPolicy(value: unknown): string {
  const rowPolicy = { attribute: 'size', op: 'eq', value } as Filter;
  return keyOf(['orders', { attributes: 'all', rowPolicy }]);
}

const ALL: ModelGrant = { attributes: 'all' };

describe('the key of a grant', () => {
  it('is the same for grants that show the same, in whatever order they were written', () => {
    const some = { attributes: new Set(['id', 'name']) };
    const other = { attributes: new Set(['name', 'id']) };
    expect(keyOf(['a', some], ['b', ALL])).toBe(keyOf(['b', ALL], ['a', other]));
    expect(withPolicy('eu')).toBe(withPolicy('eu'));
  });

  it.each<[string, [string, ModelGrant][], [string, ModelGrant][]]>([
    ['models', [['a', ALL]], [['b', ALL]]],
    ['attributes', [['a', ALL]], [['a', { attributes: new Set(['all']) }]]],
    [
      'hidden attributes',
      [['a', { attributes: new Set(['id']) }]],
      [['a', { attributes: new Set() }]],
    ],
    ['page sizes', [['a', { ...ALL, maxPageSize: 5 }]], [['a', { ...ALL, maxPageSize: 50 }]]],
    ['page sizes, one of them the model’s own', [['a', { ...ALL, maxPageSize: 5 }]], [['a', ALL]]],
  ])('differs for grants that differ in their %s', (_what, one, other) => {
    expect(keyOf(...one)).not.toBe(keyOf(...other));
  });

  it.each([
    ['eu', 'us'],
    ['1', 1],
    [null, 'null'],
    [null, NaN],
    [NaN, Infinity],
    [Infinity, -Infinity],
    [['a', 'b'], 'a,b'],
  ])('differs for row policies that compare with %j and %j', (one, other) => {
    expect(withPolicy(one)).not.toBe(withPolicy(other));
  });

  it('of no model differs from that of every model', () => {
    expect(keyOf()).not.toBe(EVERYTHING.key);
    expect(new Grant('all').key).toBe(EVERYTHING.key);
  });
});

const grantOf = (policy: unknown): Grant =>
  new Grant(new Map([['orders', { attributes: 'all', rowPolicy: policy as Filter }]]));

describe('the row policies of a grant', () => {
  it('have the default of what they leave out, as the filters of requests do', () => {
    const { models } = grantOf({ attribute: 'size', op: 'is_null' });
    expect(models).toEqual(grantOf({ attribute: 'size', op: 'is_null', value: true }).models);
  });

  it('have to be filters', () => {
    expect(() => grantOf({ attribute: 'size', op: 'eqal', value: 1 })).toThrow(
      /The row policy of orders is no filter\. \/op: expected one of/,
    );
  });
});

it('a grant cannot be changed once its key is made', () => {
  expect(Object.isFrozen(new Grant(new Map()))).toBe(true);
});

const columns = ['id', 'customer', 'region'].map((name) => columnOf(name));
const catalogue = catalogueOf(tableOf('orders', columns), tableOf('secrets', columns));
const rowPolicy = { attribute: 'region', op: 'eq', value: 'eu' } as const;

function granted(maxPageSize?: number) {
  const attributes = new Set(['customer', 'id', 'unheard-of']);
  const size = maxPageSize === undefined ? {} : { maxPageSize };
  const grant = new Grant(new Map([['orders', { attributes, rowPolicy, ...size }]]));
  return visibleModel(catalogue, grant, 'orders');
}

describe('a model under a grant', () => {
  it('has the attributes that the grant names, in the order of the model', () => {
    expect([...(granted()?.visible.attributes.keys() ?? [])]).toEqual(['id', 'customer']);
  });

  it('is at hand in full too, for the row policy to compare hidden attributes', () => {
    expect(granted()).toMatchObject({ full: catalogue.get('orders'), rowPolicy });
  });

  it.each([
    [undefined, 100],
    [50, 50],
    [1000, 100],
  ])('has the smaller of the page sizes %j and 100', (size, smaller) => {
    expect(granted(size)?.visible.maxPageSize).toBe(smaller);
  });

  it('cannot be changed', () => {
    expect(Object.isFrozen(granted()?.visible)).toBe(true);
  });

  it('is the model itself where the grant shows everything', () => {
    const full = catalogue.get('orders');
    expect(visibleModel(catalogue, EVERYTHING, 'orders')).toEqual({ visible: full, full });
  });
});

describe('a model that the grant hides', () => {
  const grant = new Grant(new Map([['orders', { attributes: 'all' as const }]]));

  it('is as absent as one that does not exist', () => {
    expect(visibleModel(catalogue, grant, 'secrets')).toBeUndefined();
    expect(visibleModel(catalogue, grant, 'nothing')).toBeUndefined();
    expect(visibleModel(catalogue, EVERYTHING, 'nothing')).toBeUndefined();
  });
});
