import { type Engine, EVERYTHING, Grant, type ModelSettings } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import type { Fixture } from '../fixtures/fixture.ts';
import { fixturesOf } from '../fixtures/index.ts';
import { exactPage, open } from '../open.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const ROWS = Array.from({ length: 30 }, (_, index) => {
  const id = index + 1;
  const customer = id % 6 === 0 ? 'null' : String((id % 4) + 1);
  return `(${id}, ${customer}, ${(id * 13) % 17}.50, '${id % 3 === 0 ? 'done' : 'open'}')`;
});

const SELECTION = `select id, customer_id, amount * 2 as twice, state as s, 'it''s; (so)' as note
  from orders where state = 'open'`;

const TABLES = [
  'create table customers (id int not null primary key, name varchar(20))',
  "insert into customers values (1, 'Ada'), (2, 'Bob'), (3, 'Cyd'), (4, null)",
  `create table orders (id int not null primary key, customer_id int, amount decimal(10, 2),
    state varchar(10))`,
  `insert into orders values ${ROWS.join(', ')}`,
  `create view shown as ${SELECTION}`,
];

const CUSTOMER = { attributes: ['customer_id'], model: 'customers', key: ['id'] };

const relations = (inverse: string): ModelSettings['relations'] => ({
  customer: { ...CUSTOMER, inverse },
});

function models({ declaresTypes }: Fixture): Record<string, ModelSettings> {
  const types: ModelSettings = declaresTypes
    ? {
        attributes: {
          id: { type: 'int32' },
          twice: { type: 'decimal' },
          note: { type: 'text' },
        },
      }
    : {};
  const key = ['id'];
  return {
    shown: { ...types, key, relations: relations('shown') },
    open_orders: { ...types, key, sql: SELECTION, relations: relations('open_orders') },
    // A table has its name.
    orders: { ...types, key, sql: SELECTION, reads: ['orders'], relations: relations('read') },
  };
}

const at = (attribute: string, op: string, value: unknown): unknown => ({ attribute, op, value });

const BY_TWICE = [{ attribute: 'twice', direction: 'desc' }];

describe.each(FIXTURES)('models of a selection on $name', (fixture) => {
  let engine: Engine;

  beforeAll(async () => {
    const database = await fixture.create();
    await database.execute(TABLES);
    engine = await open(database.url, { models: models(fixture) });
  });

  async function reply(query_model: string, { page = 1, ...others }: Record<string, unknown>) {
    const body = { query_model, page: { page, size: 6 }, query_attributes: ['id'], ...others };
    const { result, page: found } = await engine.query(body, EVERYTHING);
    return { result, page: exactPage(found) };
  }

  async function versionOf(query_model: string): Promise<string | undefined> {
    const body = { query_model, query_attributes: ['id'], page: { page: 1, size: 5 } };
    return (await engine.query(body, EVERYTHING)).version;
  }

  it('are all described', () => {
    expect(engine.reports).toEqual([]);
    expect([...(engine.catalogue.get('open_orders')?.attributes.keys() ?? [])]).toEqual([
      ...(engine.catalogue.get('shown')?.attributes.keys() ?? []),
    ]);
  });

  it.each([
    { query_attributes: ['id', 'twice', 's', 'note', 'customer_id'] },
    { query_attributes: ['id', 'customer.name'], query_sort: BY_TWICE, page: 2 },
    { query_sort: [{ attribute: 'customer.name', direction: 'asc' }], page: 3 },
    { query_filter: at('customer.name', 'eq', 'Ada'), query_sort: BY_TWICE },
    {
      query_attributes: ['customer.name', 'sum'],
      query_groups: ['customer.name'],
      query_aggregates: [{ name: 'sum', op: 'sum', attribute: 'twice' }],
    },
    { page: 99 },
  ])('answer %j as a view does', async (asked) => {
    const shown = await reply('shown', asked);
    expect(await reply('open_orders', asked)).toEqual(shown);
    expect(await reply('orders', asked)).toEqual(shown);
  });

  it('compare texts that are constants', async () => {
    const same = await reply('open_orders', { query_filter: at('note', 'eq', "it's; (so)") });
    expect(same).toEqual(await reply('open_orders', {}));
    const others = await reply('orders', { query_filter: at('note', 'istarts_with', 'IT!') });
    expect(others.result).toBe('[]');
  });

  it('are found from the records that theirs lead to', async () => {
    const some = at('twice', 'gt', '20');
    const of = (related: string) =>
      reply('customers', { query_filter: { related, some }, query_attributes: ['name'] });
    const shown = await of('shown');
    expect(await of('open_orders')).toEqual(shown);
    expect(await of('read')).toEqual(shown);
  });

  it('show a caller only what a row policy lets through', async () => {
    const rowPolicy = at('customer_id', 'eq', 2) as never;
    const grant = new Grant(new Map([['open_orders', { attributes: new Set(['id']), rowPolicy }]]));
    const page = { page: 1, size: 50 };
    const body = { query_model: 'open_orders', query_attributes: ['id'], page };
    const { result } = await engine.query(body, grant);
    expect(JSON.parse(result)).toEqual([1, 5, 13, 17, 25, 29].map((id) => ({ id })));
    await expect(engine.query({ ...body, query_model: 'orders' }, grant)).rejects.toThrow('orders');
  });

  it('have the version of what the settings say that they read', async () => {
    expect(await versionOf('orders')).toBe(await versionOf('customers'));
    expect(await versionOf('open_orders')).toBeUndefined();
  });

  it('have a key that is checked', async () => {
    const model = engine.catalogue.get('open_orders');
    if (model === undefined) throw new Error('The model is not served.');
    const [term] = model.key;
    if (term === undefined) throw new Error('The model has a key.');
    expect(await engine.isKey(model)).toBe(true);
    expect(await engine.isKey({ ...model, key: [{ ...term, column: 'customer_id' }] })).toBe(false);
  });
});
