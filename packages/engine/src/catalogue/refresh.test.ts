import { describe, expect, it } from 'vitest';

import { buildOf, catalogueOf, columnOf, tableOf } from '../../test/unit/models.ts';
import { modelChanges, refreshCatalogue } from './refresh.ts';

const id = columnOf('id', 'int32', false);
const name = columnOf('name');
const cities = tableOf('cities', [id, name]);
const served = catalogueOf(cities);

describe('a refreshed catalogue', () => {
  it('holds the same models where nothing changed', () => {
    expect(refreshCatalogue(served, buildOf([{ ...cities }])).get('cities')).toBe(
      served.get('cities'),
    );
  });

  it('shows no model and no attribute that it did not show before', () => {
    const secret = { ...name, name: 'secret' };
    const refreshed = refreshCatalogue(
      served,
      buildOf([
        { ...cities, columns: [id, name, secret] },
        { ...cities, name: 'others' },
      ]),
    );
    expect([...refreshed.keys()]).toEqual(['cities']);
    expect([...(refreshed.get('cities')?.attributes.keys() ?? [])]).toEqual(['id', 'name']);
  });

  it('keeps a model whose relation is gone and says what is missing, until it is back', () => {
    const gone = refreshCatalogue(served, buildOf([]));
    expect(gone.get('cities')?.missing?.columns).toBe('all');
    expect(modelChanges(served, gone)).toEqual([
      { model: 'cities', change: 'lost', reason: expect.any(String) as string },
    ]);
    const back = refreshCatalogue(gone, buildOf([cities]));
    expect(back).toEqual(served);
    expect(modelChanges(gone, back)).toEqual([{ model: 'cities', change: 'back', reason: '' }]);
  });

  it('keeps an attribute whose column is gone, and marks it alone', () => {
    const model = refreshCatalogue(served, buildOf([{ ...cities, columns: [id] }])).get('cities');
    expect([...(model?.attributes.keys() ?? [])]).toEqual(['id', 'name']);
    expect(model?.missing).toEqual({
      columns: new Set(['name']),
      reason: 'It has no column named name.',
    });
  });

  it('takes on the new type of a column', () => {
    const refreshed = refreshCatalogue(
      served,
      buildOf([{ ...cities, columns: [id, { ...name, type: 'int32' }] }]),
    );
    expect(refreshed.get('cities')?.attributes.get('name')?.type).toBe('int32');
    expect(modelChanges(served, refreshed)).toEqual([
      { model: 'cities', change: 'changed', reason: '' },
    ]);
  });

  it('misses a model whose unique key is gone', () => {
    const refreshed = refreshCatalogue(served, buildOf([{ ...cities, keys: [] }]));
    expect(refreshed.get('cities')?.missing?.reason).toContain('no unique key');
  });
});
