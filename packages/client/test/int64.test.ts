import type { ClientOptions } from '@proj/client';
import type { ModelEntry } from '@proj/contract';
import { describe, expect, it } from 'vitest';

import { caught } from './caught.ts';
import { collect } from './collect.ts';
import { attribute, CITIES_MODEL, contractService } from './contract-service.ts';
import { inTurn, json, type Answer } from './http-server.ts';
import { startClient } from './start-client.ts';

const EVENTS: ModelEntry = {
  ...CITIES_MODEL,
  name: 'events',
  attributes: [
    attribute('id', 'int64'),
    attribute('parent', 'int64', { nullable: true }),
    attribute('parts', 'array', { items: 'int64' }),
    attribute('labels', 'array', { items: 'text' }),
    attribute('price', 'decimal'),
    attribute('__proto__', 'int64'),
  ],
};

const ROWS = Array.from({ length: 9 }, (_, index) => ({
  id: String(9_223_372_036_854_775_800n - BigInt(index)),
  parent: index === 0 ? null : '-7',
  parts: ['1', null, ['9007199254740993']],
  labels: ['1'],
  price: '12',
  ['__proto__']: '5',
}));

const EVENT_LIST = {
  model: 'events',
  attributes: ['id', 'parent', 'parts', 'labels', 'price'],
  size: 4,
} as const;

async function start(answer: Answer, options: Partial<ClientOptions> = { int64: 'bigint' }) {
  const { client, server } = await startClient(answer, options);
  return {
    client,
    catalogued: () => server.requests.filter(({ method }) => method === 'GET').length,
    server,
  };
}

const events = contractService(ROWS, { model: EVENTS });

describe('whole numbers of 64 bits', () => {
  it('stay strings by default, and the catalogue is not read', async () => {
    const { client, catalogued } = await start(events, {});
    const { records } = await client.query({ ...EVENT_LIST, page: 3 });
    expect(records).toMatchObject([
      { id: '9223372036854775800', parent: null, parts: ['1', null, ['9007199254740993']] },
    ]);
    expect(catalogued()).toBe(0);
  });

  it('become bigints at the end of a path, and each model is read once', async () => {
    const node: ModelEntry = {
      ...EVENTS,
      references: [{ name: 'up', attributes: ['parent'], model: 'events', key: ['id'] }],
    };
    const rows = [{ id: '1', 'up.up.id': '-9', 'up.price': '12', 'up.nope': '1' }];
    const { client, catalogued } = await start(contractService(rows, { model: node }));
    const attributes = ['id', 'up.up.id', 'up.price', 'up.nope'];
    const query = { model: 'events', attributes, size: 4, page: 1 };
    const { records } = await client.query(query);
    expect(records).toEqual([{ id: 1n, 'up.up.id': -9n, 'up.price': '12', 'up.nope': '1' }]);
    await client.query(query);
    expect(catalogued()).toBe(1);
  });

  it('become bigints, those in arrays too, and nothing else does', async () => {
    const { client } = await start(events);
    const { records } = await client.query({ ...EVENT_LIST, page: 2 });
    expect(records[3]).toEqual({
      id: 9_223_372_036_854_775_799n,
      parent: -7n,
      parts: [1n, null, [9_007_199_254_740_993n]],
      labels: ['1'],
      price: '12',
    });
    expect(Object.keys(records[3] ?? {})).toEqual(EVENT_LIST.attributes);
  });

  it('become bigints up to the largest that an unsigned column has', async () => {
    const rows = [{ id: '18446744073709551615', parent: '-9223372036854775808' }];
    const { client } = await start(contractService(rows, { model: EVENTS }));
    const attributes = ['id', 'parent'];
    const { records } = await client.query({ ...EVENT_LIST, attributes, page: 1 });
    expect(records).toEqual([
      { id: 18_446_744_073_709_551_615n, parent: -9_223_372_036_854_775_808n },
    ]);
  });

  it('are looked up once for a model, and again for an attribute that is new', async () => {
    let model: ModelEntry = EVENTS;
    const { client, catalogued } = await start((request, response) =>
      contractService(ROWS, { model })(request, response),
    );
    await collect(client.records({ ...EVENT_LIST, attributes: ['id'] }, { onDrift: 'ignore' }));
    await client.query({ ...EVENT_LIST, page: 1 });
    expect(catalogued()).toBe(1);
    model = { ...EVENTS, attributes: [...EVENTS.attributes, attribute('late', 'int64')] };
    ROWS.forEach((row) => Object.assign(row, { late: '3' }));
    const { records } = await client.query({ ...EVENT_LIST, attributes: ['late'], page: 1 });
    expect(records[0]).toEqual({ late: 3n });
    expect(catalogued()).toBe(2);
  });

  it('are looked up again when replies name another catalogue', async () => {
    const types = { id: 'int64', price: 'text' };
    const rows = [{ id: '1', price: '2' }];
    const { client, catalogued } = await start((request, response) => {
      const attributes = Object.entries(types).map(([name, type]) => attribute(name, type));
      const named = { catalogueTag: () => JSON.stringify(types) };
      contractService(rows, { model: { ...EVENTS, attributes }, ...named })(request, response);
    });
    const query = { model: 'events', attributes: ['id', 'price'], size: 4, page: 1 };
    const read = async () => (await client.query(query)).records[0];
    expect(await read()).toEqual({ id: 1n, price: '2' });
    expect(await read()).toEqual({ id: 1n, price: '2' });
    expect(catalogued()).toBe(1);
    Object.assign(types, { id: 'text', price: 'int64' });
    rows[0] = { id: 'a', price: '2' };
    expect(await read()).toEqual({ id: 'a', price: 2n });
    expect(await read()).toEqual({ id: 'a', price: 2n });
    expect(catalogued()).toBe(2);
  });

  it('are sent as strings when they are values of a filter', async () => {
    const { client, server } = await start(events);
    const filter = { attribute: 'id', op: 'gt', value: 9_223_372_036_854_775_797n } as const;
    expect((await client.query({ ...EVENT_LIST, filter, page: 1 })).total).toBe(3n);
    expect(server.requests[0]?.body).toContain('"value":"9223372036854775797"');
  });

  it('make keys to walk by, which travel and are stored as strings', async () => {
    const { client } = await start(events);
    const pages = await collect(client.pages({ ...EVENT_LIST, order: 'key' }));
    expect(pages.flatMap(({ records }) => records.map(({ id }) => id))).toEqual(
      ROWS.map(({ id }) => BigInt(id)).toReversed(),
    );
    expect(pages.at(-1)?.lastKey).toEqual({ id: '9223372036854775800' });
    const rest = await collect(
      client.pages({ ...EVENT_LIST, order: 'key', after: { id: 9_223_372_036_854_775_799n } }),
    );
    expect(rest).toMatchObject([{ total: 1n }]);
  });

  it('may have the name of the prototype', async () => {
    const { client } = await start(events);
    const { records } = await client.query({ ...EVENT_LIST, attributes: ['__proto__'], page: 1 });
    expect(Object.entries(records[0] ?? {})).toEqual([['__proto__', 5n]]);
  });

  it.each(['1.5', '', '0x10', '-10000000000000000000', '123456789012345678901', 7, { a: 1 }])(
    'are refused when they are none: %j',
    async (id) => {
      const page = { page: '1', size: '1', total: '1', has_next: false };
      const { client } = await start(inTurn(json({ result: [{ id }], page }), json(EVENTS)));
      const error = await caught(
        client.query({ model: 'events', attributes: ['id'], page: 1, size: 1 }),
      );
      expect(error).toMatchObject({
        name: 'InvalidReplyError',
        mismatch: { pointer: '/result/0/id' },
      });
    },
  );

  it('do not ask the catalogue about a model that the query is refused', async () => {
    const { client, catalogued } = await start(events);
    expect(await caught(client.query({ ...EVENT_LIST, model: 'nothing', page: 1 }))).toMatchObject({
      code: 'unknown_model',
    });
    expect(catalogued()).toBe(0);
  });
});
