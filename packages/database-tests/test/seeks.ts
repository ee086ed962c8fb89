import { SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { expect } from 'vitest';

import { buildCatalogue } from '../../engine/src/catalogue/build/build.ts';
import { EVERYTHING } from '../../engine/src/catalogue/grant.ts';
import type { Relation } from '../../engine/src/catalogue/relation.ts';
import { walkKeys } from '../../engine/src/reading/unchanged/key-walk.ts';
import { placeOf } from '../../engine/src/reading/records/read-record.ts';
import type { Checkpoints } from '../../engine/src/sources/following/followed-moment.ts';
import type { Key } from '../../engine/src/sql/clauses/seek.ts';
import type { KeysStatement } from '../../engine/src/sql/query-statements.ts';
import type { PreparedQuery } from '../../engine/src/sql/prepared/prepared-query.ts';
import { CacheStore } from '../../engine/src/cache-store.ts';
import { Preparer } from '../../engine/src/sql/prepared/preparer.ts';
import type { Dialect } from '../../engine/src/sql/dialect.ts';
import { bind, type Statement } from '../../engine/src/sql/statement.ts';
import { MAX_REPLY_BYTES } from '../../engine/src/reply-memory.ts';

/**
 * A table whose columns have few distinct values, many NULLs, and types whose order is not that of
 * their texts.
 */
const SEEK_COLUMNS = ['id', 'few', 'maybe', 'word', 'amount', 'moment', 'flag', 'raw'] as const;

/** How the tests run statements over one database. */
export interface SeekDatabase {
  readonly dialect: Dialect;
  readonly relations: readonly Relation[];
  /** The records that a statement of rows finds. */
  rows(statement: Statement): Promise<readonly { readonly id: unknown }[]>;
  /** The first row of a statement, in the values of the database; empty where it has none. */
  row(statement: Statement): Promise<readonly unknown[]>;
  /** The keys with their places that a statement of keys finds. */
  keys(statement: Statement): Promise<readonly (readonly unknown[])[]>;
}

const sorts = fc.uniqueArray(
  fc.record({
    attribute: fc.constantFrom(...SEEK_COLUMNS.slice(1)),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
    nulls: fc.constantFrom('first' as const, 'last' as const),
  }),
  { maxLength: 3, selector: ({ attribute }) => attribute },
);

const filters = fc.option(
  fc.constantFrom(
    { attribute: 'id', op: 'gt', value: 40 },
    { attribute: 'maybe', op: 'is_null', value: false },
  ),
  {
    nil: undefined,
  },
);

/** How a list is walked along: the length of a step, and of a chunk. */
interface Walk {
  readonly step: number;
  readonly size: number;
}

const walks = fc.record({
  step: fc.integer({ min: 1, max: 40 }),
  size: fc.integer({ min: 1, max: 150 }),
});

/**
 * A walk finds every key that an index of pages would keep, whatever the list is ordered by, the
 * statement that seeks it finds the same rows as passing over all that come before, and the place
 * of a record is found as it is in the list, from its beginning on and by such keys.
 */
export async function seeksFindTheSameRows(database: SeekDatabase, numRuns: number): Promise<void> {
  const { catalogue } = buildCatalogue([...database.relations], {
    expose: 'all',
    models: {},
    maxPageSize: 1000,
  });
  const options = { shortPageProof: true, readBackwards: true, maxReplyBytes: MAX_REPLY_BYTES };
  const preparer = new Preparer({
    catalogue,
    dialect: database.dialect,
    options,
    store: new CacheStore(2 ** 20),
  });
  await fc.assert(
    fc.asyncProperty(sorts, filters, walks, async (query_sort, query_filter, walk) => {
      const body = {
        query_model: 'seeks',
        query_attributes: ['id'],
        page: { page: 1, size: 10 },
        ...(query_sort.length > 0 && { query_sort }),
        ...(query_filter && { query_filter }),
      };
      await checkList(preparer.prepare(body, EVERYTHING).query, database, walk);
    }),
    { numRuns, seed: SEED },
  );
}

async function checkList(query: PreparedQuery, database: SeekDatabase, walk: Walk): Promise<void> {
  const { step } = walk;
  const all = await database.rows(bind(query.statements.rows, { limit: 100_000, offset: 0 }));
  const keys = await walkedKeys(query, database, walk);
  const ids = all.filter((_, place) => place % step === 0).map(({ id }) => String(id));
  expect(keys.map((key) => String(key.at(-1)))).toEqual(ids);
  await checkPlaces(query, database, { ids: all.map(({ id }) => String(id)), keys, step });
  for (const [place, key] of keys.entries()) {
    const nulls = key.map((value) => value === null);
    expect(await found(true)).toEqual(all.slice(place * step));
    // A page that ends before a key whose first value is not NULL.
    const behind = keys.findLastIndex(([first], index) => index > place && first !== null);
    if (behind === -1) continue;
    expect((await found(false)).slice(0, (behind - place) * step)).toEqual(
      all.slice(place * step, behind * step),
    );

    async function found(reachesNulls: boolean): Promise<readonly unknown[]> {
      return database.rows(
        bind(query.seek({ nulls, reachesNulls }), { limit: 100_000, offset: 0, key }),
      );
    }
  }
}

/** So far from each other that the last key before a record has to be found, whichever it is. */
const FAR = 1_000_000n;

interface WalkedList {
  readonly ids: readonly string[];
  readonly keys: readonly Key[];
  readonly step: number;
}

async function checkPlaces(
  query: PreparedQuery,
  database: SeekDatabase,
  { ids, keys, step }: WalkedList,
): Promise<void> {
  const checkpoints: Checkpoints = {
    length: keys.length,
    keyAt: (index) => keys[index] ?? [],
    rowsBefore: (index) => BigInt(index) * FAR,
  };
  const snapshot = {
    row: async (statement: Statement) => {
      const row = await database.row(statement);
      return row.length === 0 ? undefined : row;
    },
    count: async (statement: Statement) => BigInt(String((await database.row(statement))[0])),
  };
  for (const place of [0, 1, 7, 40, 41, ids.length - 1]) {
    const id = BigInt(ids[place] ?? 0);
    expect(await placeFound(id)).toBe(BigInt(place));
    const farAway = BigInt(Math.floor(place / step)) * FAR + BigInt(place % step);
    expect(await placeFound(id, checkpoints)).toBe(farAway);
  }
  expect(await placeFound(0n, checkpoints)).toBeUndefined();

  async function placeFound(id: bigint, along?: Checkpoints): Promise<bigint | undefined> {
    const statements = query.records;
    const attribute = query.plan.models[0]?.attributes.get('id');
    if (statements === undefined || attribute === undefined) throw new Error('It has no key.');
    const record = { attribute, op: 'eq', values: [id] } as const;
    return placeOf(snapshot, { statements, record, checkpoints: along });
  }
}

async function walkedKeys(
  query: PreparedQuery,
  database: SeekDatabase,
  { step, size }: Walk,
): Promise<readonly Key[]> {
  const read = async ({ keys, bindings }: KeysStatement) => {
    const { size: limit, ...rest } = bindings;
    return { rows: await database.keys(bind(keys, { limit, ...rest })), version: '1' };
  };
  const found: Key[] = [];
  for await (const chunk of walkKeys({ query, step, chunkRows: () => size, maySort: true, read }))
    found.push(...chunk.keys);
  return found;
}
