import { catalogueSchema } from '@proj/contract';
import { describe, expect, it } from 'vitest';

import { buildCatalogue } from './build/build.ts';
import { catalogueDocument } from './document.ts';
import { EVERYTHING, Grant } from './grant.ts';
import type { Relation } from './relation.ts';

function relation(name: string, key = ['id']): Relation {
  const columns = [
    { name: 'id', databaseType: 'INTEGER', type: 'int64', nullable: false, description: null },
    { name: 'name', databaseType: 'TEXT', type: 'text', nullable: true, description: 'As printed' },
  ] as const;
  return {
    path: [name],
    name,
    kind: 'table',
    columns,
    keys: [key.map((column) => ({ column }))],
    description: null,
  };
}

const { catalogue } = buildCatalogue(
  [relation('a'), relation('b'), relation('c', ['id', 'name'])],
  {
    expose: 'all',
    models: {},
    maxPageSize: 50,
  },
);

function seen(name: string): Grant {
  return new Grant(new Map([['c', { attributes: new Set([name, 'id']) }]]));
}

describe('the catalogue document', () => {
  it('keeps to the contract', () => {
    const document = catalogueDocument(catalogue, EVERYTHING);
    expect(catalogueSchema.parse(document)).toEqual(document);
  });

  it('describes a model with its key, which is its default order', () => {
    expect(catalogueDocument(catalogue, EVERYTHING).models[0]).toMatchObject({
      name: 'a',
      attributes: [
        { name: 'id', type: 'int64', nullable: false, description: null },
        { name: 'name', type: 'text', nullable: true, description: 'As printed' },
      ],
      key: ['id'],
      default_sort: [{ attribute: 'id', direction: 'asc', nulls: 'last' }],
      max_page_size: 50,
    });
  });

  it('names the label of a model only where the grant shows it', () => {
    const { catalogue: labelled } = buildCatalogue([relation('c')], {
      expose: 'all',
      models: { c: { label: 'name' } },
      maxPageSize: 50,
    });
    const labelFor = (grant: Grant) => catalogueDocument(labelled, grant).models[0]?.label;
    const idAlone = new Grant(new Map([['c', { attributes: new Set(['id']) }]]));
    expect(labelFor(seen('name'))).toBe('name');
    expect(labelFor(idAlone)).toBeUndefined();
    expect(catalogueDocument(catalogue, EVERYTHING).models[0]).not.toHaveProperty('label');
  });

  it('names all attributes of a key or none', () => {
    expect(catalogueDocument(catalogue, seen('name')).models[0]?.key).toEqual(['id', 'name']);
    expect(catalogueDocument(catalogue, seen('id')).models[0]?.key).toEqual([]);
  });

  it.each([
    [['b'], ['b']],
    [
      ['c', 'a'],
      ['a', 'c'],
    ],
    [['a', 'unheard-of'], ['a']],
    [[], []],
  ])('shows a grant of %j the models %j and nothing else', (granted, visible) => {
    const { models } = catalogueDocument(
      catalogue,
      new Grant(new Map(granted.map((name) => [name, { attributes: 'all' }]))),
    );
    expect(models.map(({ name }) => name)).toEqual(visible);
  });
});
