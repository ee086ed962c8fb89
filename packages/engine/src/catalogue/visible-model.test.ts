import { describe, expect, it } from 'vitest';

import { buildCatalogue } from './build/build.ts';
import { EVERYTHING, Grant } from './grant.ts';
import type { Relation } from './relation.ts';
import { visibleModel, visibleModels } from './visible-model.ts';

const column = (name: string) =>
  ({ name, databaseType: 'TEXT', type: 'text', nullable: false, description: null }) as const;

function relation(name: string): Relation {
  const columns = ['id', 'customer', 'region'].map(column);
  return {
    path: [name],
    name,
    kind: 'table',
    columns,
    keys: [[{ column: 'id' }]],
    description: null,
  };
}

const { catalogue } = buildCatalogue([relation('orders'), relation('secrets')], {
  expose: 'all',
  models: {},
  maxPageSize: 100,
});
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

  it('is not among the visible models, which keep the order of the catalogue', () => {
    expect(visibleModels(catalogue, grant).map(({ name }) => name)).toEqual(['orders']);
    const all = visibleModels(catalogue, EVERYTHING).map(({ name }) => name);
    expect(all).toEqual(['orders', 'secrets']);
  });
});
