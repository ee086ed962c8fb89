import { describe, expect, it } from 'vitest';

import { buildCatalogue } from './catalogue/build.ts';
import { EVERYTHING, type Grant } from './catalogue/grant.ts';
import { InvalidQueryError } from './errors.ts';
import { sqliteDialect } from './sources/sqlite/dialect.ts';
import { CacheStore } from './cache-store.ts';
import { QueryPreparer } from './query-preparer.ts';
import { MAX_REPLY_BYTES } from './reply-limit.ts';

const OPTIONS = { shortPageProof: true, readBackwards: true, maxReplyBytes: MAX_REPLY_BYTES };

const COLUMNS = ['id', 'name', 'owner'].map(
  (name) =>
    ({ name, databaseType: 'TEXT', type: 'text', nullable: false, description: null }) as const,
);
const RELATION = {
  path: ['t'],
  name: 't',
  kind: 'table',
  columns: COLUMNS,
  keys: [[{ column: 'id' }]],
  description: null,
} as const;
const { catalogue } = buildCatalogue([RELATION], { expose: 'all', models: {}, maxPageSize: 100 });

function preparer(): QueryPreparer {
  return new QueryPreparer({
    catalogue,
    dialect: sqliteDialect,
    options: OPTIONS,
    store: new CacheStore(2 ** 20),
  });
}

function body(page: unknown, attributes = ['name']): Record<string, unknown> {
  return { query_model: 't', query_attributes: attributes, page };
}

function ownedBy(owner: string): Grant {
  return {
    models: new Map([
      [
        't',
        { attributes: new Set(['name']), rows: { attribute: 'owner', op: 'eq', value: owner } },
      ],
    ]),
  };
}

describe('requests that differ in their page alone', () => {
  it('have one list, which is compiled once', () => {
    const plans = preparer();
    const [first, second] = [1, 2].map((page) => plans.plan(body({ page, size: 10 }), EVERYTHING));
    expect(second?.query).toBe(first?.query);
    expect(second?.query.statements).toBe(first?.query.statements);
    expect([first?.range.offset, second?.range.offset]).toEqual([0n, 10n]);
  });

  it.each([
    { page: '1', size: 10 },
    { page: 0, size: 10 },
    { page: 1.5, size: 10 },
    { page: 1, size: 101 },
    { page: 1, size: 10, offset: 5 },
    { page: 1 },
    [1, 10],
    null,
  ])('are refused for a faulty page, also when the list is known: %j', (page) => {
    const plans = preparer();
    plans.plan(body({ page: 1, size: 10 }), EVERYTHING);
    expect(() => plans.plan(body(page), EVERYTHING)).toThrow(InvalidQueryError);
  });

  it('stop at the largest offset that a database binds', () => {
    const { range } = preparer().plan(
      body({ page: Number.MAX_SAFE_INTEGER, size: 100 }),
      EVERYTHING,
    );
    expect(range.offset).toBeLessThanOrEqual(2n ** 63n - 1n);
  });
});

describe('requests under different grants', () => {
  it('never share a list, its total or its pages, be it for the very same body', () => {
    const plans = preparer();
    const same = body({ page: 1, size: 10 });
    const lists = [ownedBy('a'), ownedBy('b'), EVERYTHING].map(
      (grant) => plans.plan(same, grant).query,
    );
    expect(new Set(lists.map(({ totalKey }) => totalKey)).size).toBe(3);
    expect(new Set(lists.map(({ key }) => key)).size).toBe(3);
  });

  it('are refused what the grant hides, also when another grant was shown it', () => {
    const plans = preparer();
    const request = body({ page: 1, size: 10 }, ['id']);
    plans.plan(request, EVERYTHING);
    expect(() => plans.plan(request, ownedBy('a'))).toThrow(InvalidQueryError);
    expect(() => plans.plan({ ...request }, ownedBy('a'))).toThrow(InvalidQueryError);
  });
});

it('a role with a smaller page size is held to it, whoever asked for the same records before', () => {
  const plans = preparer();
  const small: Grant = {
    models: new Map([['t', { attributes: new Set(['name']), maxPageSize: 10 }]]),
  };
  for (const size of [100, 10]) plans.plan(body({ page: 1, size }), EVERYTHING);
  plans.plan(body({ page: 1, size: 10 }), small);
  expect(() => plans.plan(body({ page: 1, size: 11 }), small)).toThrow(InvalidQueryError);
  expect(() => plans.plan(body({ page: 1, size: 100 }), EVERYTHING)).not.toThrow();
});

it('lists of the same elements in another order have one total and two page indexes', () => {
  const plans = preparer();
  const request = body({ page: 1, size: 10 });
  const one = plans.plan(request, EVERYTHING).query;
  const other = plans.plan({ ...request, query_sort: [{ attribute: 'name' }] }, EVERYTHING).query;
  expect(other.totalKey).toBe(one.totalKey);
  expect(other.orderKey).not.toBe(one.orderKey);
});
