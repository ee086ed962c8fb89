import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';

import { catalogueOf, columnOf, tableOf } from '../../../test/unit/models.ts';
import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import { CacheStore } from '../../cache-store.ts';
import { EVERYTHING, Grant, type ModelGrant } from '../../catalogue/grant.ts';
import type { Missing } from '../../catalogue/model.ts';
import { InvalidQueryError, QueryFailedError } from '../../errors.ts';
import type { Dialect } from '../dialect.ts';
import { type PreparedPage, Preparer, rangeOf, requestText, splitRequest } from './preparer.ts';

const catalogue = catalogueOf(
  tableOf(
    't',
    ['id', 'name', 'owner'].map((name) => columnOf(name, 'text', false)),
  ),
);

function preparer(
  served = catalogue,
  store = new CacheStore(2 ** 24),
  dialect: Dialect = plainDialect,
): Preparer {
  const options = { shortPageProof: true, readBackwards: true, maxReplyBytes: 1000 };
  return new Preparer({ catalogue: served, dialect, options, store });
}

function body(page: unknown, attributes = ['name']): Record<string, unknown> {
  return { query_model: 't', query_attributes: attributes, page };
}

function grantOf(model: Partial<ModelGrant> = {}): Grant {
  return new Grant(new Map([['t', { attributes: new Set(['name']), ...model }]]));
}

function ownedBy(value: string): Grant {
  return grantOf({ rowPolicy: { attribute: 'owner', op: 'eq', value } });
}

const FIRST = { page: 1, size: 10 };
const LEAF = { attribute: 'name', op: 'eq', value: '' };

describe('requests that differ in their page alone', () => {
  it('have one prepared query, which is compiled once', () => {
    const queries = preparer();
    const [first, second] = [1, 2].map((page) =>
      queries.prepare(body({ page, size: 10 }), EVERYTHING),
    );
    expect(second?.query).toBe(first?.query);
    expect(second?.query.statements).toBe(first?.query.statements);
    expect([first, second]).toMatchObject([
      { place: { page: 1 }, size: 10 },
      { place: { page: 2 }, size: 10 },
    ]);
  });

  it.each([
    { page: '1', size: 10 },
    { page: 0, size: 10 },
    { page: 1, size: 0 },
    { page: 1.5, size: 10 },
    { page: 1, size: 101 },
    { page: 1, size: 10, offset: 5 },
    { page: 1 },
    { size: 1 },
    [1, 10],
    null,
    undefined,
    'page',
  ])('are refused for an invalid page, also when the query is known: %j', (page) => {
    const queries = preparer();
    queries.prepare(body(FIRST), EVERYTHING);
    expect(() => queries.prepare(body(page), EVERYTHING)).toThrow(InvalidQueryError);
  });

  it('have exact offsets up to 2^63 - 1, and none that is larger', () => {
    const page = Number.MAX_SAFE_INTEGER;
    const offsets = [1, 100, 10_000].map((size) => rangeOf({ page, size }).offset);
    expect(offsets).toEqual([2n ** 53n - 2n, (2n ** 53n - 2n) * 100n, 2n ** 63n - 1n]);
  });

  it('have it also where one of them asks for the page that holds a record', () => {
    const queries = preparer();
    const first = queries.prepare(body(FIRST), EVERYTHING);
    const found = queries.prepare(body({ containing: { id: 'x' }, size: 7 }), EVERYTHING);
    expect(found.query).toBe(first.query);
    expect(found).toMatchObject({ place: { record: { and: [{ op: 'eq' }] } }, size: 7 });
  });

  it('are planned once where they name a page by a record, and refused with the same errors', () => {
    const planned = vi.spyOn(catalogue, 'get');
    const queries = preparer();
    const ask = (page: object, more = {}): PreparedPage =>
      queries.prepare({ ...body(page), ...more }, EVERYTHING);
    ask(FIRST);
    const found = ask({ containing: { id: 'y' }, size: 7 });
    expect(found).toMatchObject({ place: { record: { and: [{ values: ['y'] }] } }, size: 7 });
    expect(planned).toHaveBeenCalledTimes(1);
    planned.mockRestore();
    const wrong = [{}, { id: 1 }, { id: 'y', name: 'x' }].map((containing) => [
      { containing, size: 7 },
      {},
    ]);
    ask(FIRST, { query_total: 'none' });
    const uncounted = [{ containing: { id: 'y' }, size: 7 }, { query_total: 'none' }];
    const large = [{ containing: { id: 'y' }, size: 101 }, {}];
    for (const [page = {}, more] of [...wrong, uncounted, large])
      expect(() => ask(page, more)).toThrow(InvalidQueryError);
  });

  it('are planned once, up to the largest page size and the longest request that is kept', () => {
    const planned = vi.spyOn(catalogue, 'get');
    const queries = preparer();
    const ask = (size: number, length: number) => {
      const query_filter = { attribute: 'name', op: 'eq', value: 'x'.repeat(length) };
      const { query } = queries.prepare({ ...body({ page: 1, size }), query_filter }, EVERYTHING);
      return { query, plans: planned.mock.calls.length };
    };
    const room = 8192 - JSON.stringify({ ...body(0), query_filter: LEAF, page: undefined }).length;
    const [first, largest] = [ask(1, room), ask(100, room)];
    expect([first.plans, largest.plans]).toEqual([1, 1]);
    const [longer, again] = [ask(1, room + 1), ask(1, room + 1)];
    expect([longer.plans, again.plans]).toEqual([2, 3]);
    expect(again.query).toBe(longer.query);
    planned.mockRestore();
  });
});

it('requests that differ in how much of the total they want have one prepared query', () => {
  const queries = preparer();
  const prepared = ['exact', 'none', { up_to: 5 }, 'none'].map((query_total) =>
    queries.prepare({ ...body(FIRST), query_total }, EVERYTHING),
  );
  expect(new Set(prepared.map(({ query }) => query)).size).toBe(1);
  expect(prepared.map(({ countLimit }) => countLimit)).toEqual([undefined, 0, 5, 0]);
});

it.each([null, 'text', [], 1, undefined])('the body %j is refused', (request) => {
  expect(() => preparer().prepare(request, EVERYTHING)).toThrow(InvalidQueryError);
});

describe('requests under different grants', () => {
  it('never share a query, its total or its pages, not for the very same body', () => {
    const queries = preparer();
    const same = body(FIRST);
    const found = [ownedBy('a'), ownedBy('b'), EVERYTHING].map(
      (grant) => queries.prepare(same, grant).query,
    );
    expect(new Set(found.map(({ totalKey }) => totalKey)).size).toBe(3);
    expect(new Set(found.map(({ key }) => key)).size).toBe(3);
  });

  it('share the query where the grants are equal, however often they were made', () => {
    const queries = preparer();
    const [one, other] = [1, 2].map(() => queries.prepare(body(FIRST), ownedBy('a')).query);
    expect(other).toBe(one);
  });

  it('are refused what the grant hides, also when another grant shows it', () => {
    const queries = preparer();
    const request = body(FIRST, ['id']);
    queries.prepare(request, EVERYTHING);
    expect(() => queries.prepare(request, ownedBy('a'))).toThrow(InvalidQueryError);
  });

  it('keep to the page size of their role, whoever requested the same records before', () => {
    const queries = preparer();
    const [small, large] = [grantOf({ maxPageSize: 10 }), grantOf()];
    const ask = (size: number, grant: Grant) => queries.prepare(body({ page: 1, size }), grant);
    expect(ask(100, large).query).toBe(ask(10, small).query);
    expect(() => ask(11, small)).toThrow(InvalidQueryError);
    expect(() => ask(100, large)).not.toThrow();
  });
});

describe('a model that lacks a part', () => {
  it.each<Missing['columns']>(['all', new Set(['name']), new Set(['id'])])(
    'is unavailable to a request that needs any of %j',
    (columns) => {
      expect(() => prepareWithout(columns)).toThrow(
        new QueryFailedError('model_unavailable', 't: It is gone.'),
      );
    },
  );
});

function catalogueWith(changes: object): typeof catalogue {
  return new Map([...catalogue].map(([name, model]) => [name, { ...model, ...changes }]));
}

/** The page of names, from a model that lacks these columns. */
function prepareWithout(columns: Missing['columns']): PreparedPage {
  const served = catalogueWith({ missing: { columns, reason: 'It is gone.' } });
  return preparer(served).prepare(body(FIRST), EVERYTHING);
}

const REST = { query_model: 't', query_attributes: ['a'] };

describe('a request that is not split', () => {
  it.each([null, undefined, 1, 'page', [], {}, REST])('is %j', (request) => {
    expect(splitRequest(request)).toBeUndefined();
  });
});

const gone = catalogueWith({ missing: { columns: 'all', reason: 'It is gone.' } });

const facets = (values: number) => ({
  query_model: 't',
  query_facets: [{ attribute: 'name', values }],
});

/** What JSON writes alike, with what else a body could be thought to hold. */
const UNLIKE = [null, Infinity, -Infinity, NaN, 'null', 'Infinity', '-Infinity'];

const filteredBy = (value: unknown) => ({
  query_model: 't',
  query_filter: { attribute: 'n', op: 'is_distinct', value },
});

it('a number beyond a double is never prepared as null, which JSON writes for it', () => {
  const columns = [columnOf('id', 'text', false), columnOf('n', 'float64')];
  const queries = preparer(catalogueOf(tableOf('t', columns)));
  const pageOf = (value: unknown): unknown =>
    queries.prepare({ ...filteredBy(value), query_attributes: ['id'], page: FIRST }, EVERYTHING);
  const query_facets = [{ attribute: 'n', values: 3 }];
  const facetsOf = (value: unknown): unknown =>
    queries.prepareFacets({ ...filteredBy(value), query_facets }, EVERYTHING);
  for (const prepared of [pageOf, facetsOf]) {
    expect(prepared(null)).toBeDefined();
    for (const value of [Infinity, -Infinity, NaN])
      expect(() => prepared(value)).toThrow(InvalidQueryError);
  }
  expect(new Set(UNLIKE.map((value) => requestText([value, 1]))).size).toBe(UNLIKE.length);
  expect(requestText([null, Infinity])).not.toBe(requestText([Infinity, null]));
});

describe('a request for facets', () => {
  it('is prepared once for a grant, as long as its text is short', () => {
    const queries = preparer();
    const first = queries.prepareFacets(facets(3), EVERYTHING);
    expect(queries.prepareFacets(facets(3), EVERYTHING)).toBe(first);
    expect(queries.prepareFacets(facets(3), grantOf())).not.toBe(first);
    const long = { attribute: 'name', op: 'eq', value: 'x'.repeat(100_000) };
    const longest = { ...facets(3), query_filter: long };
    const kept = queries.prepareFacets(longest, EVERYTHING);
    expect(queries.prepareFacets(longest, EVERYTHING)).not.toBe(kept);
    const text = sql.raw('x'.repeat(2 ** 22));
    const wordy = preparer(catalogue, new CacheStore(2 ** 24), {
      ...plainDialect,
      lists: () => text,
    });
    expect(wordy.prepareFacets(facets(3), EVERYTHING)).not.toBe(
      wordy.prepareFacets(facets(3), EVERYTHING),
    );
    const small = preparer(catalogue, new CacheStore(1));
    expect(small.prepareFacets(facets(3), EVERYTHING)).not.toBe(
      small.prepareFacets(facets(3), EVERYTHING),
    );
  });

  it('has the key of what it reads, and that of its names', () => {
    const queries = preparer();
    const keysBy = (asked: object, grant = EVERYTHING): [string, string] => {
      const { key, namesKey } = queries.prepareFacets(asked, grant);
      return [key, namesKey];
    };
    const [key, namesKey] = keysBy(facets(3));
    expect(keysBy({ ...facets(3), query_filter: LEAF })).toEqual([
      expect.not.stringMatching(key),
      namesKey,
    ]);
    expect(keysBy(facets(4))).toEqual([expect.not.stringMatching(key), namesKey]);
    const sorted = {
      query_model: 't',
      query_facets: [{ attribute: 'name', values: 3, sort: 'value' }],
    };
    expect(keysBy(sorted)).toEqual([expect.not.stringMatching(key), namesKey]);
    expect(keysBy(facets(3), ownedBy('a'))[0]).not.toBe(key);
    const others = { query_model: 't', query_facets: [{ attribute: 'owner', values: 3 }] };
    expect(keysBy(others)[1]).not.toBe(namesKey);
  });

  it('is refused with its errors, or where the model is gone', () => {
    const queries = preparer();
    const wrong = { query_model: 't', query_facets: [{ attribute: 'x', values: 3 }] };
    expect(() => queries.prepareFacets(wrong, EVERYTHING)).toThrow(InvalidQueryError);
    expect(() => queries.prepareFacets(undefined, EVERYTHING)).toThrow(InvalidQueryError);
    expect(() => preparer(gone).prepareFacets(facets(3), EVERYTHING)).toThrow('t: It is gone.');
  });

  it('is refused where it compares with more values than a statement of the database can', () => {
    const query_filter = { attribute: 'name', op: 'in', value: ['a', 'b', 'c'] };
    const asked = { ...facets(3), query_filter };
    const prepareBy = (maxParameters: number) =>
      preparer(catalogue, undefined, { ...plainDialect, maxParameters }).prepareFacets(
        asked,
        EVERYTHING,
      );
    expect(prepareBy(3).statements.read.parameters).toHaveLength(3);
    expect(() => prepareBy(2)).toThrow(
      expect.objectContaining({
        errors: [
          {
            pointer: '/query_facets',
            code: 'too_many_facets',
            detail:
              '/query_facets: with their bins and filters they compare with 3 values, and a ' +
              'statement of this database with 2 at most. Send several requests.',
          },
        ],
      }),
    );
  });
});

describe('an export', () => {
  const list = { query_model: 't', query_attributes: ['name'] };

  it('shares its query with pages of the list, and says how its CSV is written', () => {
    const queries = preparer();
    const { query, csv } = queries.prepareExport(list, EVERYTHING);
    expect([query, csv]).toEqual([queries.prepare(body(FIRST), EVERYTHING).query, undefined]);
    const csvOf = (export_csv: object) =>
      queries.prepareExport({ ...list, export_csv }, EVERYTHING).csv;
    expect(csvOf({})).toStrictEqual({});
    expect(csvOf({ null: '-', guard_formulas: true })).toStrictEqual({
      null: '-',
      guardFormulas: true,
    });
  });

  it('is refused with its errors, or where the model is gone', () => {
    const wrong = { ...list, query_attributes: ['x'] };
    expect(() => preparer().prepareExport(wrong, EVERYTHING)).toThrow(InvalidQueryError);
    expect(() => preparer(gone).prepareExport(list, EVERYTHING)).toThrow(QueryFailedError);
  });
});
