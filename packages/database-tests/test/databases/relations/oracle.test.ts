import type { Engine } from '@proj/engine';
import { beforeRelease, eachNth, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { exported } from '../../exported.ts';
import { fixturesOf } from '../../fixtures/index.ts';
import { open } from '../../open.ts';
import {
  customersView,
  MODELS,
  ordersView,
  PATHS,
  REFERRED,
  type RolePolicies,
  ROLES,
  rowsOf,
  TABLES,
} from './schema.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const REQUESTS = Number(process.env['ORACLE_REQUESTS'] ?? (beforeRelease ? 250 : 40));

const OWN = ['id', 'amount', 'note', 'customer_id', 'agent_code'];
const paths = PATHS.map(({ path }) => path);
const attribute = fc.constantFrom(...OWN, ...paths);

const isNumber = (name: string): boolean => !/name|note|code/.test(name);

const leaf = attribute.chain((name) => {
  const value: fc.Arbitrary<number | string> = isNumber(name)
    ? fc.integer({ min: 0, max: 60 })
    : fc.constantFrom('t1', 't2', 't3');
  return fc.oneof(
    fc.record({ attribute: fc.constant(name), op: fc.constantFrom('eq', 'ne'), value }),
    fc.record({ attribute: fc.constant(name), op: fc.constantFrom('is_distinct'), value }),
    fc.record({
      attribute: fc.constant(name),
      op: fc.constantFrom('is_null'),
      value: fc.boolean(),
    }),
    fc.record({
      attribute: fc.constant(name),
      op: fc.constantFrom('in', 'not_in'),
      value: fc.array(value, { minLength: 1, maxLength: 4 }),
    }),
    ...(isNumber(name)
      ? [fc.record({ attribute: fc.constant(name), op: fc.constantFrom('lt', 'gte'), value })]
      : []),
  );
});

const { filter } = fc.letrec<{ filter: object; node: object }>((tie) => ({
  filter: fc.oneof({ withCrossShrink: true, maxDepth: 3 }, leaf, tie('node')),
  node: fc.oneof(
    fc.record({ and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('filter') }),
  ),
}));

const request = fc.record({
  attributes: fc.uniqueArray(attribute, { minLength: 1, maxLength: 6 }),
  filter: fc.option(filter, { nil: undefined }),
  sort: fc.uniqueArray(
    fc.record({
      attribute,
      direction: fc.constantFrom('asc', 'desc'),
      nulls: fc.constantFrom('first', 'last'),
    }),
    { maxLength: 3, selector: (term) => term.attribute },
  ),
  page: fc.integer({ min: 1, max: 6 }),
  size: fc.integer({ min: 1, max: 30 }),
});

type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

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
    const database = await fixture.create();
    const quoted = (sql: string): string =>
      fixture.family === 'MariaDB' ? sql.replaceAll('"', '`') : sql;
    const views = ROLES.flatMap((role) => [ordersView(role), customersView(role)]);
    await database.execute([...TABLES, ...rowsOf(SEED), ...views].map(quoted));
    engine = await open(database.url, { models: MODELS });
  });

  async function pageOf(model: string, asked: Request, role: RolePolicies): Promise<object> {
    const { attributes, filter: query_filter, sort: query_sort, page, size } = asked;
    const body = {
      query_model: model,
      query_attributes: attributes,
      page: { page, size },
      query_sort,
      ...(query_filter && { query_filter }),
    };
    const answer = await engine.query(body, role.grant);
    const records = (JSON.parse(answer.result) as object[]).map((one) => Object.values(one));
    return { records, total: String(answer.page.total) };
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
        const ask = async (model: string, body: object): Promise<object> => {
          const { result, page } = await engine.query({ query_model: model, ...body }, role.grant);
          const records = (JSON.parse(result) as object[]).map((one) => Object.values(one));
          return { records, total: String(page.total) };
        };
        const expected = await ask(`orders_${role.name}`, ofView(asked));
        expect(await ask('orders', asked)).toEqual(expected);
      }),
      { numRuns: Math.ceil(REQUESTS / 3), seed: SEED },
    );
  });

  it.each(tried)('find the page that holds a record, for the role $name', async (role) => {
    await fc.assert(
      fc.asyncProperty(request, fc.integer({ min: 1, max: 80 }), async (asked, id) => {
        const body = (model: string, { attributes, filter: where, sort, size }: Request) => ({
          query_model: model,
          query_attributes: attributes,
          page: { containing: { id }, size },
          query_sort: sort,
          ...(where && { query_filter: where }),
        });
        const ask = async (model: string, one: Request): Promise<unknown> =>
          engine.query(body(model, one), role.grant).then(
            ({ result, page }) => [
              (JSON.parse(result) as object[]).map((record) => Object.values(record)),
              { ...page, total: String(page.total) },
            ],
            (error: Error) => error.constructor.name,
          );
        expect(await ask('orders', asked)).toEqual(await ask(`orders_${role.name}`, ofView(asked)));
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
