import { catalogueSchema } from '@proj/contract';
import { describe, expect, it } from 'vitest';

import { buildOf, columnOf, tableOf } from '../../test/unit/models.ts';
import { catalogueDocument } from './document.ts';
import { EVERYTHING, Grant } from './grant.ts';
import type { Relation } from './relation.ts';

const COLUMNS = [
  columnOf('id', 'int64', false),
  { ...columnOf('name'), description: 'As printed' },
];

const relation = (name: string, changes: Partial<Relation> = {}): Relation =>
  tableOf(name, COLUMNS, changes);

const keys = [[{ column: 'id' }, { column: 'name' }]];
const { catalogue } = buildOf([relation('a'), relation('b'), relation('c', { keys })]);

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
      max_page_size: 100,
    });
  });

  it('names the label of a model only where the grant shows it', () => {
    const { catalogue: labelled } = buildOf([relation('c')], {
      models: { c: { label: 'name' } },
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
