import { type Grant, InvalidQueryError } from '@proj/engine';
import { beforeRelease, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { bodyOf } from './everywhere.ts';
import { anyRequest } from './oracle-requests.ts';
import {
  type Asked,
  expectTruths,
  grantOf,
  TABLE,
  type Truth,
  truthsOf,
  useOracleTable,
} from './oracle-run.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const REQUESTS = beforeRelease ? 600 : 40;

/** A list, its caller, and the record whose page is asked for. */
interface AskedFor extends Asked {
  /** Whether the list was read just before, so that its total may be kept. */
  readonly isKnown: boolean;
  /** A few of them are nowhere, and many are not in the list. */
  readonly id: number;
  /** To how many records the total is wanted; all where undefined. */
  readonly limit: number | undefined;
}

const asked: readonly AskedFor[] = fc.sample(
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
  const opened = useOracleTable(fixture);

  it(`are those of the lists that SQL written by hand gives, in ${REQUESTS} random requests`, async () => {
    const lists = asked.map(({ request, hasPolicy }) => {
      return { request: { ...request, size: 1000 }, hasPolicy };
    });
    const truths = await truthsOf(fixture, opened().database, lists);
    await expect(expectTruths(asked, truths, askBeside)).resolves.toBeUndefined();
  });

  /** What the engine gives, and what it should give. */
  async function askBeside(one: AskedFor, [, ...ids]: Truth) {
    const { request: list, isKnown, id, limit } = one;
    const body = bodyOf({ model: TABLE.name, ...list });
    if (isKnown) await opened().engine.query(body, grantOf(one));
    return {
      given: await answerTo(containing(body, { id, size: list.size, limit }), grantOf(one)),
      right: pageIn(ids, { id, size: list.size, limit }),
      request: `seed ${SEED}, ${JSON.stringify(one)}`,
    };
  }

  async function answerTo(body: unknown, grant: Grant): Promise<unknown> {
    try {
      const { result, page } = await opened().engine.query(body, grant);
      const records = JSON.parse(result) as { id: number }[];
      return { ids: records.map((record) => record.id), page: JSON.stringify(page) };
    } catch (error) {
      if (!(error instanceof InvalidQueryError)) throw error;
      return error.errors;
    }
  }
});

type Place = Pick<AskedFor, 'id' | 'limit'> & { readonly size: number };

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
