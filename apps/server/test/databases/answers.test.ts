import { afterFile } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { sha256 } from '../../src/access/tokens.ts';
import { writeTo } from '../helper.ts';
import {
  orderDatabases,
  ordersFile,
  pageOf,
  serviceOf,
  type ServiceOfSeveral,
} from './service-of-several.ts';

const servers = orderDatabases();

/** PostgreSQL with a prefix, MariaDB with a prefix, SQLite without one. */
function settingsOfThree(file: { readonly url: string }) {
  return {
    databases: {
      shop: { url: servers.postgres().url, expose: 'all' },
      crm: { url: servers.mariadb().url, expose: 'all' },
      local: { url: file.url, expose: 'all', prefix: 'none' },
    },
  };
}

const NAMES = [
  'shop.customers',
  'shop.orders',
  'crm.customers',
  'crm.orders',
  'customers',
  'orders',
];

const ROLES = {
  sales: {
    models: {
      'shop.orders': { attributes: ['id', 'amount'] },
      'crm.customers': {
        attributes: 'all',
        rows: { attribute: 'name', op: 'eq', value: '$claims.name' },
      },
    },
  },
};
const TOKENS = [
  { name: 'ann', role: 'sales', sha256: sha256('ann-token'), claims: { name: 'Ann' } },
];

let file: ReturnType<typeof ordersFile>;
let shared: ServiceOfSeveral;
beforeAll(async () => {
  file = ordersFile(14, afterFile);
  const settings = { ...settingsOfThree(file), roles: ROLES, tokens: TOKENS };
  shared = await serviceOf(settings, [], afterFile);
});

describe('one service over PostgreSQL, MariaDB and SQLite', () => {
  it('lists the models of all, and answers each from its own database: relations, facets, records and exports', async () => {
    const { models, total, post, get } = shared;
    expect(await models()).toEqual(NAMES);
    expect(await total('shop.orders')).toBe('12');
    expect(await total('crm.orders')).toBe('13');
    expect(await total('orders')).toBe('14');
    for (const name of ['shop.orders', 'crm.orders', 'orders']) {
      const path = await post(pageOf(name, ['customer.name']));
      expect(path.json()).toMatchObject({ result: [{ 'customer.name': 'Ann' }, {}, {}] });
      const facets = await post(
        { query_model: name, query_facets: [{ attribute: 'customer_id', values: 5 }] },
        { path: '/api/v1/dynamic/facets' },
      );
      expect(facets.json()).toMatchObject({ facets: [{ distinct: '2' }] });
      const containing = await post({
        query_model: name,
        query_attributes: ['id'],
        page: { containing: { id: name === 'orders' ? '5' : 5 }, size: 3 },
      });
      expect(containing.json()).toMatchObject({ page: { page: '2' } });
      const exported = await post(
        { query_model: name, query_attributes: ['id'] },
        { path: '/api/v1/dynamic/export' },
      );
      expect(exported.statusCode).toBe(200);
      const entry = await get(`/api/v1/dynamic/models/${name}`);
      expect(entry.json()).toMatchObject({
        name,
        references: [{ name: 'customer', model: name.replace('orders', 'customers') }],
      });
    }
  });

  it('asks for records that others refer to by the plain name of their model, and refuses a model that none has', async () => {
    const { post } = shared;
    const reply = await post({
      ...pageOf('shop.customers', ['name']),
      query_filter: { related: 'orders', some: { attribute: 'amount', op: 'eq', value: 10 } },
    });
    expect(reply.json()).toMatchObject({ result: [{ name: 'Bob' }] });
    const problem = await post(pageOf('crm.order'));
    expect(problem.json()).toMatchObject({
      code: 'unknown_model',
      errors: [{ pointer: '/query_model', did_you_mean: 'crm.orders' }],
    });
    const across = await post(pageOf('shop.orders', ['crm.customers.name']));
    expect(across.json()).toMatchObject({ code: 'unknown_attribute' });
  });

  it('has one entity tag of the catalogue, which changes with any of the databases', async () => {
    const { get, service } = shared;
    const { etag } = (await get('/api/v1/dynamic/models')).headers;
    expect(etag).toBeTypeOf('string');
    const same = await get('/api/v1/dynamic/models', { 'if-none-match': String(etag) });
    expect(same.statusCode).toBe(304);
    writeTo(file.path, 'create table added (id integer primary key)');
    expect(await service.reload('operator')).toBe(true);
    const other = await get('/api/v1/dynamic/models', { 'if-none-match': String(etag) });
    expect(other.statusCode).toBe(200);
  });

  it('gives the data of each database a version of its own', async () => {
    const { post } = shared;
    const version = async (name: string) => (await post(pageOf(name))).headers['data-version'];
    const before = { shop: await version('shop.orders'), local: await version('orders') };
    writeTo(file.path, "insert into customers values (3, 'Cid')");
    expect(await version('shop.orders')).toBe(before.shop);
    expect(await version('orders')).not.toBe(before.local);
  });
});

describe('roles over several databases', () => {
  it('grant models of each of them, with row policies, and nothing else', async () => {
    const { total, post, service } = shared;
    expect(await total('shop.orders', 'ann-token')).toBe('12');
    expect(await total('crm.customers', 'ann-token')).toBe('1');
    expect(await total('crm.orders', 'ann-token')).toBe('unknown_model');
    expect(await total('orders', 'ann-token')).toBe('unknown_model');
    const hidden = await post(pageOf('shop.orders', ['customer_id']), { token: 'ann-token' });
    expect(hidden.json()).toMatchObject({ code: 'unknown_attribute' });
    const seen = await service.app.inject({
      url: '/api/v1/dynamic/models',
      headers: { authorization: 'Bearer ann-token' },
    });
    expect(seen.json<{ models: { name: string }[] }>().models.map(({ name }) => name)).toEqual([
      'shop.orders',
      'crm.customers',
    ]);
  });

  it('that name a model of no database keep the service from starting', async () => {
    const wrong = { a: { models: { 'shop.nothing': {} } } };
    await expect(serviceOf({ ...settingsOfThree(file), roles: wrong })).rejects.toThrow(
      /settings\.yaml:\d+: roles\.a\.models\."?shop\.nothing"?: There is no such model\. There are: shop\.customers, /,
    );
  });
});
