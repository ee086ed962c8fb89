import { describe, expect, it } from 'vitest';

import { buildOf, columnOf, tableOf } from '../../../test/unit/models.ts';
import type { Relation } from '../relation.ts';

const relation = (name: string, changes: Partial<Relation> = {}): Relation =>
  tableOf(name, [columnOf('id', 'int64', false), columnOf('name', 'int64')], changes);

describe('expose: all', () => {
  it('shows every relation that has a key, by name', () => {
    const { catalogue, reports } = buildOf([relation('b'), relation('a')]);
    expect([...catalogue.keys()]).toEqual(['a', 'b']);
    expect(reports).toEqual([]);
  });

  it('reports a relation without a key, with a remedy that names it, and not as an error', () => {
    const { catalogue, reports } = buildOf([relation('v', { kind: 'view', keys: [] })]);
    expect(catalogue.size).toBe(0);
    expect(reports).toMatchObject([
      {
        model: 'v',
        path: ['models', 'v'],
        listed: false,
        problem:
          'The view has no unique key, so its rows have no total order and pages would repeat and lose rows.',
        remedy:
          'Name columns that are unique together and never NULL: models: { v: { key: [column] } }',
      },
    ]);
  });

  it('does not expose a relation a second time under its own name when a model is made of it', () => {
    const { catalogue } = buildOf([relation('tbl_city')], {
      models: { cities: { source: 'tbl_city' } },
    });
    expect([...catalogue.keys()]).toEqual(['cities']);
    expect(catalogue.get('cities')?.path).toEqual(['tbl_city']);
  });

  it('shows a relation under two names when two models ask for it', () => {
    const { catalogue } = buildOf([relation('t')], { models: { t: {}, u: { source: 't' } } });
    expect([...catalogue.keys()]).toEqual(['t', 'u']);
  });

  it('keeps names that objects know by themselves', () => {
    const { catalogue, reports } = buildOf([relation('__proto__'), relation('constructor')]);
    expect([...catalogue.keys()]).toEqual(['__proto__', 'constructor']);
    expect(reports).toEqual([]);
  });
});

describe('expose: listed', () => {
  it('shows what the settings name, and nothing else', () => {
    const { catalogue } = buildOf([relation('a'), relation('b')], {
      expose: 'listed',
      models: { b: { attributes: 'all' } },
    });
    expect([...catalogue.keys()]).toEqual(['b']);
  });

  it('shows nothing when the settings name nothing', () => {
    expect(buildOf([relation('a')], { expose: 'listed' })).toMatchObject({ reports: [] });
    expect(buildOf([relation('a')], { expose: 'listed' }).catalogue.size).toBe(0);
  });

  it('reports a model whose source is missing, with what there is, as an error', () => {
    const { reports } = buildOf([relation('a'), relation('b')], {
      expose: 'listed',
      models: { cities: { source: 'city' } },
    });
    expect(reports).toMatchObject([
      {
        model: 'cities',
        listed: true,
        problem: 'The database has no table or view named "city".',
        remedy: 'It has: a, b.',
      },
    ]);
  });

  it('lists at most twenty relations in a remedy', () => {
    const many = Array.from({ length: 21 }, (_, index) => relation(`t${index}`));
    const { reports } = buildOf(many, { expose: 'listed', models: { x: {} } });
    expect(reports[0]?.remedy).toMatch(/t19, …\.$/);
  });

  it('says when the database is empty', () => {
    expect(buildOf([], { expose: 'listed', models: { x: {} } }).reports[0]?.remedy).toBe(
      'The database is empty.',
    );
  });

  it('finds a source by its exact name only', () => {
    expect(
      buildOf([relation('City')], { expose: 'listed', models: { city: {} } }).reports,
    ).toHaveLength(1);
  });
});

describe('a declared label', () => {
  it('is the attribute by which people know a record', () => {
    const { catalogue, reports } = buildOf([relation('t')], { models: { t: { label: 'name' } } });
    expect(catalogue.get('t')?.label).toBe('name');
    expect(reports).toEqual([]);
  });

  it.each([
    ['names no column', { label: 'nmae' }, 'It has: id, name.'],
    [
      'names a hidden one',
      { label: 'name', attributes: { name: { hidden: true } } },
      'It has: id.',
    ],
  ])('that %s is reported at its place, and the model served without it', (_, model, remedy) => {
    const { catalogue, reports } = buildOf([relation('t')], { models: { t: model } });
    expect(reports).toMatchObject([
      {
        path: ['models', 't', 'label'],
        listed: true,
        problem: `The model has no attribute named "${model.label}".`,
        remedy,
      },
    ]);
    expect(catalogue.get('t')).toBeDefined();
    expect(catalogue.get('t')?.label).toBeUndefined();
  });
});

describe('a declared key', () => {
  it('serves a view, and orders by the columns as they are named', () => {
    const { catalogue } = buildOf([relation('v', { kind: 'view', keys: [] })], {
      models: { v: { key: ['name', 'id'] } },
    });
    expect(catalogue.get('v')?.key.map((term) => [term.column, term.direction])).toEqual([
      ['name', 'asc'],
      ['id', 'asc'],
    ]);
  });

  it('goes before the key that the database knows', () => {
    const { catalogue } = buildOf([relation('t')], { models: { t: { key: ['name'] } } });
    expect(catalogue.get('t')?.key.map((term) => term.column)).toEqual(['name']);
  });

  it('that names unknown columns is reported with those that there are', () => {
    const { reports } = buildOf([relation('t')], { models: { t: { key: ['id', 'nmae', 'x'] } } });
    expect(reports).toMatchObject([
      {
        model: 't',
        listed: true,
        problem: 'key names columns that t does not have: nmae, x.',
        remedy: 'It has: id, name.',
      },
    ]);
  });

  it('of no columns is reported, since it orders nothing', () => {
    const { catalogue, reports } = buildOf([relation('t')], { models: { t: { key: [] } } });
    expect(catalogue.size).toBe(0);
    expect(reports[0]).toMatchObject({ model: 't', listed: true });
  });
});

describe('a model', () => {
  it('takes the first key of its relation', () => {
    const keys = [[{ column: 'name', collation: 'NOCASE' }], [{ column: 'id' }]];
    expect(buildOf([relation('t', { keys })]).catalogue.get('t')?.key).toMatchObject([
      { column: 'name', collation: 'NOCASE', direction: 'asc' },
    ]);
  });

  it('has an attribute for every column, in their order', () => {
    expect([
      ...(buildOf([relation('t')])
        .catalogue.get('t')
        ?.attributes.keys() ?? []),
    ]).toEqual(['id', 'name']);
  });

  it('takes description and page size from its settings first', () => {
    const models = { t: { description: 'Ours', maxPageSize: 5 } };
    const { catalogue } = buildOf(
      [relation('t', { description: 'Theirs' }), relation('u', { description: 'Theirs' })],
      { models },
    );
    expect(catalogue.get('t')).toMatchObject({ description: 'Ours', maxPageSize: 5 });
    expect(catalogue.get('u')).toMatchObject({ description: 'Theirs', maxPageSize: 100 });
  });

  it('and its attributes cannot be changed', () => {
    const model = buildOf([relation('t')]).catalogue.get('t');
    expect(Object.isFrozen(model)).toBe(true);
    expect(Object.isFrozen(model?.attributes.get('id'))).toBe(true);
  });

  it('of a relation that cannot be read is reported with the reason', () => {
    const { reports } = buildOf([relation('t', { unusable: 'It is broken.' })]);
    expect(reports).toMatchObject([
      {
        model: 't',
        listed: false,
        problem: 'It is broken.',
        remedy: 'Fix it in the database, or leave it out.',
      },
    ]);
  });

  it('that is no good does not harm the others', () => {
    const { catalogue } = buildOf([
      relation('bad', { unusable: 'It is broken.' }),
      relation('good'),
    ]);
    expect([...catalogue.keys()]).toEqual(['good']);
  });
});
