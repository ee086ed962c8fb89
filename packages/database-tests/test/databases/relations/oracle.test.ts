import type { Engine } from '@proj/engine';
import { beforeRelease, eachNth, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { exported } from '../../exported.ts';
import { fixturesOf } from '../../fixtures/index.ts';
import { open } from '../../open.ts';
import { type AnyList, anyList } from './random-lists.ts';
import {
  createRelated,
  customersView,
  MODELS,
  ordersView,
  PATHS,
  REFERRED,
  type RolePolicies,
  ROLES,
} from './schema.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const REQUESTS = Number(process.env['ORACLE_REQUESTS'] ?? (beforeRelease ? 250 : 24));

const OWN = ['id', 'amount', 'note', 'customer_id', 'agent_code'];
const paths = PATHS.map(({ path }) => path);

const isNumber = (name: string): boolean => !/name|note|code/.test(name);

const request = anyList({
  attributes: [...OWN, ...paths],
  valuesOf: (name) =>
    isNumber(name)
      ? { values: fc.integer({ min: 0, max: 60 }), ordered: ['lt', 'gte'] }
      : { values: fc.constantFrom('t1', 't2', 't3'), ordered: [] },
  pages: 6,
  size: 30,
});

/** The same request of the view. */
function ofView<Value>(value: Value): Value {
  const names = new Map(PATHS.map(({ path, column }) => [path, column]));
  return JSON.parse(JSON.stringify(value), (_key, item: unknown) =>
    typeof item === 'string' ? (names.get(item) ?? item) : item,
  ) as Value;
}

describe.each(FIXTURES)(`lists along relations on $name (seed ${SEED})`, (fixture) => {
  /** On every commit each second one, and on the next database the other. */
  const tried = eachNth(2, ROLES, FIXTURES.indexOf(fixture));
  let engine: Engine;

  beforeAll(async () => {
    const views = ROLES.flatMap((role) => [ordersView(role), customersView(role)]);
    engine = await open(await createRelated(fixture, SEED, views), { models: MODELS });
  });

  async function reply(body: object, { grant }: RolePolicies): Promise<object> {
    const { result, page } = await engine.query(body, grant);
    const records = (JSON.parse(result) as object[]).map((one) => Object.values(one));
    return { records, page: { ...page, total: String(page.total) } };
  }

  /** A page of a list by its number, or by a record. */
  async function pageOf(
    query_model: string,
    {
      attributes,
      filter,
      sort: query_sort,
      ...page
    }: Omit<AnyList, 'page'> & { page?: number; containing?: object },
    role: RolePolicies,
  ): Promise<object> {
    const query_filter = filter && { query_filter: filter };
    const list = { query_model, query_attributes: attributes, query_sort, ...query_filter };
    return reply({ ...list, page }, role);
  }

  it.each(tried)('are those of a view with left joins, for the role $name', async (role) => {
    await fc.assert(
      fc.asyncProperty(request, async (asked) => {
        const expected = await pageOf(`orders_${role.name}`, ofView(asked), role);
        expect(await pageOf('orders', asked, role)).toEqual(expected);
      }),
      { numRuns: REQUESTS, seed: SEED },
    );
  });

  it.each(tried)('are exported as a view with left joins is, for the role $name', async (role) => {
    await fc.assert(
      fc.asyncProperty(request, async ({ attributes, filter: where, sort }) => {
        const asked = { attributes, sort, ...(where && { filter: where }) };
        const terms = { grant: role.grant };
        const given = await exported(engine, { model: 'orders', ...asked }, terms);
        const view = { model: `orders_${role.name}`, ...ofView(asked) };
        const expected = await exported(engine, view, terms);
        expect(given.records.map((one) => Object.values(one))).toEqual(
          expected.records.map((one) => Object.values(one)),
        );
      }),
      { numRuns: Math.ceil(REQUESTS / 3), seed: SEED },
    );
  });

  it.each(tried)('have the facets of a view with left joins, for the role $name', async (role) => {
    await fc.assert(
      fc.asyncProperty(request, async ({ attributes, filter: query_filter }) => {
        const facets = attributes.map((name) => ({
          attribute: name,
          values: 20,
          sort: 'value',
        }));
        const asked = { query_facets: facets, ...(query_filter && { query_filter }) };
        const ask = async (model: string, body: object): Promise<unknown> =>
          JSON.parse((await engine.facets({ query_model: model, ...body }, role.grant)).json);
        const given = await ask('orders', asked);
        const expected = await ask(`orders_${role.name}`, ofView(asked));
        expect(ofView({ ...Object(given), model: '' })).toEqual({
          ...Object(expected),
          model: '',
        });
      }),
      { numRuns: Math.ceil(REQUESTS / 3), seed: SEED },
    );
  });

  it.each(tried)('have the groups of a view with left joins, for the role $name', async (role) => {
    await fc.assert(
      fc.asyncProperty(request, async ({ attributes, filter: where }) => {
        const groups = attributes.slice(0, 3);
        const asked = {
          query_attributes: [...groups, 'n'],
          query_groups: groups,
          query_aggregates: [{ name: 'n', op: 'count' }],
          page: { page: 1, size: 100 },
          ...(where && { query_filter: where }),
        };
        const ask = (model: string, body: object) => reply({ query_model: model, ...body }, role);
        const expected = await ask(`orders_${role.name}`, ofView(asked));
        expect(await ask('orders', asked)).toEqual(expected);
      }),
      { numRuns: Math.ceil(REQUESTS / 3), seed: SEED },
    );
  });

  it.each(tried)('find the page that holds a record, for the role $name', async (role) => {
    await fc.assert(
      fc.asyncProperty(request, fc.integer({ min: 1, max: 80 }), async (asked, id) => {
        const { page: _, ...list } = { ...asked, containing: { id } };
        const ask = (model: string, one: typeof list) =>
          pageOf(model, one, role).catch((error: Error) => error.constructor.name);
        expect(await ask('orders', list)).toEqual(await ask(`orders_${role.name}`, ofView(list)));
      }),
      { numRuns: Math.ceil(REQUESTS / 3), seed: SEED },
    );
  });

  it.each(tried)('keep those that others refer to, for the role $name', async (role) => {
    for (const { column, filter: some } of REFERRED) {
      const ask = async (model: string, query_filter: object): Promise<unknown> => {
        const page = { page: 1, size: 30 };
        const body = { query_model: model, query_attributes: ['id'], page, query_filter };
        return (await engine.query(body, role.grant)).result;
      };
      const is = (value: number): object => ({ attribute: column, op: 'eq', value });
      expect(await ask('customers', some)).toEqual(await ask(`customers_${role.name}`, is(1)));
      const none = { related: some.related, none: some.some };
      expect(await ask('customers', none)).toEqual(await ask(`customers_${role.name}`, is(0)));
    }
  });
});
