import { type Engine, EVERYTHING, Grant, InvalidQueryError } from '@proj/engine';
import { beforeRelease, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import type { FixtureDatabase } from '../fixtures/fixture.ts';
import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';
import { bodyOf } from './everywhere.ts';
import {
  anyRequest,
  anyRows,
  type OracleRequest,
  ORACLE_TABLE_COLUMNS,
} from './oracle-requests.ts';
import { oracleSql, SPELLINGS } from './oracle-sql.ts';
import { createTable, modelSettings, type Table } from './tables.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const REQUESTS = beforeRelease ? 600 : 40;

/** So many requests are under way at a time. */
const ABREAST = 8;

const [rows = []] = fc.sample(anyRows, { numRuns: 1, seed: SEED });
const TABLE: Table = { name: 'things', columns: ORACLE_TABLE_COLUMNS, rows };

/** No caller of this grant sees the rows beyond. */
const POLICY = { attribute: 'id', op: 'lte', value: 70 } as const;
const NARROW = new Grant(new Map([['things', { attributes: 'all', rowPolicy: POLICY }]]));

/** A list, its caller, and the record whose page is asked for. */
interface Asked {
  readonly request: OracleRequest;
  readonly hasPolicy: boolean;
  /** Whether the list was read just before, so that its total may be kept. */
  readonly isKnown: boolean;
  /** A few of them are nowhere, and many are not in the list. */
  readonly id: number;
  /** To how many records the total is wanted; all where undefined. */
  readonly limit: number | undefined;
}

const asked: readonly Asked[] = fc.sample(
  fc.record({
    request: anyRequest.map((request) => ({ ...request, page: 1 })),
    hasPolicy: fc.boolean(),
    isKnown: fc.boolean(),
    id: fc.integer({ min: 0, max: 125 }),
    limit: fc.constantFrom(undefined, undefined, 1, 30, 70, 200),
  }),
  { numRuns: REQUESTS, seed: SEED },
);

describe.each(FIXTURES)(`pages that are found by a record, on $name (seed ${SEED})`, (fixture) => {
  let database: FixtureDatabase;
  let engine: Engine;

  beforeAll(async () => {
    database = await fixture.create();
    await createTable(fixture, database, TABLE);
    engine = await open(database.url, { models: modelSettings(fixture, [TABLE]) });
  });

  it(`are those of the lists that SQL written by hand gives, in ${REQUESTS} random requests`, async () => {
    const lists = await listsOfClient();
    for (let from = 0; from < asked.length; from += ABREAST) {
      const some = asked.slice(from, from + ABREAST);
      const found = await Promise.all(
        some.map((one, index) => askBeside(one, lists[from + index] ?? [])),
      );
      for (const { given, right, request } of found)
        expect({ given, request }).toEqual({ given: right, request });
    }
  });

  /** What the engine gives, and what it should give. */
  async function askBeside({ request: list, ...one }: Asked, ids: number[]) {
    const { hasPolicy, isKnown, id, limit } = one;
    const body = bodyOf({ model: TABLE.name, ...list });
    const grant = hasPolicy ? NARROW : EVERYTHING;
    if (isKnown) await engine.query(body, grant);
    return {
      given: await answerTo(containing(body, { id, size: list.size, limit }), grant),
      right: pageIn(ids, { id, size: list.size, limit }),
      request: `seed ${SEED}, ${JSON.stringify({ list, ...one })}`,
    };
  }

  async function answerTo(body: unknown, grant: Grant): Promise<unknown> {
    try {
      const { result, page } = await engine.query(body, grant);
      const records = JSON.parse(result) as { id: number }[];
      return { ids: records.map((record) => record.id), page: JSON.stringify(page) };
    } catch (error) {
      if (!(error instanceof InvalidQueryError)) throw error;
      return error.errors;
    }
  }

  /** All ids of each list, in its order, asked all at once. */
  async function listsOfClient(): Promise<number[][]> {
    const spelling = SPELLINGS[fixture.family];
    if (spelling === undefined) throw new Error(`No SQL is known of ${fixture.name}.`);
    const script = asked.map(({ request, hasPolicy }) => {
      const { filter } = request;
      const visible = filter === undefined ? POLICY : { and: [POLICY, filter] };
      const seen = hasPolicy ? { ...request, filter: visible } : request;
      return `select '#';\n${oracleSql(TABLE.name, { ...seen, size: 1000 }, spelling)}`;
    });
    const printed = (await database.client(script.join('\n'))).split('#\n').slice(1);
    return printed.map((lines) => lines.trim().split('\n').slice(1).map(Number));
  }
});

type Place = Pick<Asked, 'id' | 'limit'> & { readonly size: number };

function containing(body: unknown, { id, size, limit }: Place): unknown {
  const page = { containing: { id }, size };
  return { ...(body as object), page, ...(limit && { query_total: { up_to: limit } }) };
}

const NOT_IN_LIST = [
  {
    pointer: '/page/containing',
    code: 'record_not_in_list',
    detail: '/page/containing: the list has no record with this key.',
  },
];

/** Worked out anew from the whole list. */
function pageIn(ids: readonly number[], { id, size, limit = ids.length }: Place): unknown {
  const place = ids.indexOf(id);
  if (place === -1) return NOT_IN_LIST;
  const offset = Math.floor(place / size) * size;
  const metadata = {
    page: String(offset / size + 1),
    size: String(size),
    total: ids.length > limit ? null : String(ids.length),
    ...(ids.length > limit && { total_at_least: String(limit + 1) }),
    has_next: offset + size < ids.length,
  };
  return { ids: ids.slice(offset, offset + size), page: JSON.stringify(metadata) };
}
