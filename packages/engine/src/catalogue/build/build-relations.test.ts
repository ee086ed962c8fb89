import { describe, expect, it, vi } from 'vitest';

import { buildOf, columnOf, tableOf } from '../../../test/unit/models.ts';
import type { ExposeSettings } from '../model-settings.ts';
import type { ForeignKey, Relation } from '../relation.ts';

/** A table whose columns are its key, `id`, and the others that are named. */
function table(name: string, names: readonly string[], changes: Partial<Relation> = {}): Relation {
  const columns = [columnOf('id', 'int64', false), ...names.map((one) => columnOf(one, 'int64'))];
  return tableOf(name, columns, { uniqueKeys: [[{ column: 'id' }]], ...changes });
}

function refersTo(relation: string, columns: readonly string[], key = ['id']): ForeignKey {
  return { columns, relation: [relation], key };
}

const PEOPLE = table('people', ['boss_id', 'code', 'place']);

/** A table that refers to people with some foreign keys. */
function orders(columns: readonly string[], ...foreignKeys: readonly ForeignKey[]): Relation {
  return table('orders', columns, { foreignKeys });
}

describe('the name of a relation', () => {
  it.each([
    ['customer_id', 'customer'],
    ['customerId', 'customer'],
    ['CUSTOMER_ID', 'CUSTOMER'],
    ['customerID', 'customer'],
    ['customer', 'customer'],
    ['paid', 'paid'],
    ['_id', 'people'],
    ['ID', 'people'],
  ])('is, for a foreign key of the column %s, %s', (name, expected) => {
    const { catalogue } = buildOf([PEOPLE, orders([name], refersTo('people', [name]))]);
    expect([...(catalogue.get('orders')?.relations.keys() ?? [])]).toEqual([expected]);
  });

  it('is that of the target for a foreign key of several columns', () => {
    const places = table('places', ['code'], {
      uniqueKeys: [[{ column: 'code' }, { column: 'id' }]],
    });
    const key = refersTo('places', ['a', 'b'], ['id', 'code']);
    const { catalogue } = buildOf([places, orders(['a', 'b'], key)]);
    expect(catalogue.get('orders')?.relations.get('places')).toMatchObject({
      columns: ['a', 'b'],
      key: [{ column: 'id' }, { column: 'code' }],
    });
  });

  it('is nobody’s where two foreign keys would have it, and the remedy names one of them', () => {
    const keys = [refersTo('people', ['boss_id']), refersTo('people', ['bossId'])];
    const owner = orders(['boss_id', 'bossId'], ...keys);
    const { catalogue, foreignKeys, reports } = buildOf([PEOPLE, owner], {
      models: { orders: {} },
    });
    expect(catalogue.get('orders')?.relations.size).toBe(0);
    expect(foreignKeys.map(({ why }) => why)).toEqual([
      'another relation would be named boss too',
      'another relation would be named boss too',
    ]);
    expect(reports).toMatchObject([
      {
        path: ['models', 'orders', 'relations', 'boss'],
        problem: 'Several relations would be named boss: boss_id → people and bossId → people.',
        remedy:
          'Name one of them: models: { orders: { relations: { a_name: ' +
          '{ attributes: [boss_id], model: people, key: [id] } } } }.',
      },
    ]);
  });

  it('is reported where an attribute is written like a path along it', () => {
    const owner = orders(['boss_id', 'boss.code'], refersTo('people', ['boss_id']));
    const { reports } = buildOf([PEOPLE, owner], { models: { orders: {} } });
    expect(reports.map(({ problem }) => problem)).toEqual([
      'The attribute boss.code is named like a path along a relation.',
    ]);
  });
});

describe('the name of the other direction', () => {
  it('is that of the model that refers', () => {
    const { catalogue } = buildOf([PEOPLE, orders(['a_id'], refersTo('people', ['a_id']))]);
    expect(catalogue.get('orders')?.relations.get('a')?.inverse).toBe('orders');
  });

  it('is nobody’s where a model refers twice, unless the settings name it', () => {
    const owner = orders(
      ['a_id', 'b_id'],
      refersTo('people', ['a_id']),
      refersTo('people', ['b_id']),
    );
    const inversesOf = (models: ExposeSettings['models']): (string | undefined)[] => {
      const { catalogue } = buildOf([PEOPLE, owner], { models });
      return [...(catalogue.get('orders')?.relations.values() ?? [])].map(({ inverse }) => inverse);
    };
    expect(inversesOf({})).toEqual([undefined, undefined]);
    const named = { attributes: ['b_id'], model: 'people', key: ['id'], inverse: 'bought' };
    expect(inversesOf({ orders: { relations: { b: named } } })).toEqual(['bought', 'orders']);
  });
});

describe('a foreign key', () => {
  const ALL = { attributes: 'all' } as const;

  it.each([
    ['no model shows its target', {}, { orders: ALL }],
    [
      'not all of its columns are attributes',
      {},
      { orders: { attributes: { id: {} } }, people: ALL },
    ],
    ['the rows of one end may differ in each read', { varies: true }, { orders: ALL, people: ALL }],
    [
      'no unique index of all rows has exactly the columns of the key, so that one record could lead to several',
      { uniqueKeys: [[{ column: 'id' }, { column: 'code' }]] },
      { orders: ALL, people: ALL },
    ],
  ])('is no relation where %s', (why, changes, models) => {
    const target = { ...PEOPLE, ...changes };
    const owner = orders(['a_id'], refersTo('people', ['a_id']));
    const { catalogue, foreignKeys } = buildOf([target, owner], { models, expose: 'listed' });
    expect(foreignKeys).toMatchObject([
      { model: 'orders', columns: ['a_id'], name: undefined, why },
    ]);
    expect(catalogue.get('orders')?.relations.size).toBe(0);
  });

  it('is one relation where the schema has it twice', () => {
    const key = refersTo('people', ['a_id']);
    const { foreignKeys } = buildOf([PEOPLE, orders(['a_id'], key, { ...key })]);
    expect(foreignKeys).toMatchObject([{ name: 'a', why: undefined }]);
  });

  it('has the name and the operators of its own where the settings declare it', () => {
    const key = { ...refersTo('people', ['a_id']), operators: ['pg_catalog.='] };
    const declared = { attributes: ['a_id'], model: 'people', key: ['id'] };
    const { catalogue } = buildOf([PEOPLE, orders(['a_id'], key)], {
      models: { orders: { relations: { buyer: declared } } },
    });
    const found = [...(catalogue.get('orders')?.relations.values() ?? [])];
    expect(found).toMatchObject([{ name: 'buyer', operators: ['pg_catalog.='] }]);
  });
});

describe('a relation that the settings declare', () => {
  it.each([
    [['model'], { model: 'persons' }, 'no model is named "persons"; there are orders, people'],
    [['attributes'], { attributes: ['b'] }, 'orders has other attributes: id, a'],
    [['key'], { key: ['key'] }, 'people has other attributes: id, boss_id, code, place'],
    [['key'], { key: ['id', 'code'] }, 'it has to name as many attributes as "attributes" does'],
    [
      ['key'],
      { key: [], attributes: [] },
      'it has to name as many attributes as "attributes" does',
    ],
    [
      [],
      { key: ['code'] },
      'no unique index of all rows has exactly the columns of the key, so that one record could lead to several',
    ],
    [[], { attributes: ['text'] }, 'its columns are not of the types of the key'],
  ])('is refused at %j for %j', (place, changes, why) => {
    const owner = orders(['a']);
    const withText =
      place.length === 0
        ? [...owner.columns, { ...columnOf('text'), databaseType: 'TEXT' }]
        : owner.columns;
    const relation = { attributes: ['a'], model: 'people', key: ['id'], ...changes };
    const { reports, catalogue } = buildOf([PEOPLE, { ...owner, columns: withText }], {
      models: { orders: { relations: { buyer: relation } } },
    });
    expect(reports).toMatchObject([
      {
        listed: true,
        path: ['models', 'orders', 'relations', 'buyer', ...place],
        problem: `buyer is no relation to one: ${why}.`,
      },
    ]);
    expect(catalogue.get('orders')?.relations.size).toBe(0);
  });

  it('needs no foreign key: a unique index proves that it leads to one record', () => {
    const target = { ...PEOPLE, uniqueKeys: [[{ column: 'code' }]] };
    const declared = { attributes: ['a'], model: 'people', key: ['code'], inverse: 'bought' };
    const { catalogue, foreignKeys } = buildOf([target, orders(['a'])], {
      models: { orders: { relations: { buyer: declared } } },
    });
    expect(catalogue.get('orders')?.relations.get('buyer')).toEqual({
      name: 'buyer',
      columns: ['a'],
      model: 'people',
      key: [{ column: 'code' }],
      operators: [],
      inverse: 'bought',
    });
    expect(foreignKeys).toEqual([]);
  });
});

/** How many texts are made to compare the ends of a chain of so many tables. */
function textsMade(tables: number): number {
  const relations = Array.from({ length: tables }, (_, index) =>
    table(`t${index}`, ['next_id'], {
      foreignKeys: [refersTo(`t${(index + 1) % tables}`, ['next_id'])],
    }),
  );
  const stringify = vi.spyOn(JSON, 'stringify');
  const { catalogue } = buildOf(relations);
  const made = stringify.mock.calls.length;
  stringify.mockRestore();
  expect(catalogue.get('t0')?.relations.get('next')?.model).toBe('t1');
  return made;
}

describe('foreign keys of many tables', () => {
  it('are not compared each with every table', () => {
    expect(textsMade(100)).toBe(10 * textsMade(10));
  });
});
