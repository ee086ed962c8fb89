import type { QueryTotal } from '@proj/contract';
import { type Answer, type Engine, EVERYTHING, InvalidQueryError } from '@proj/engine';
import { beforeRelease, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { followStatements } from '../followed-statements.ts';
import { open } from '../open.ts';
import { bodyOf } from './everywhere.ts';
import { anyRequest, type OracleRequest } from './oracle-requests.ts';
import {
  type Asked,
  expectTruths,
  grantOf,
  TABLE,
  type Truth,
  truthsOf,
  useOracleTable,
} from './oracle-run.ts';
import { modelSettings, type Table } from './tables.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const REQUESTS = beforeRelease ? 1000 : 40;

const EMPTY: Table = { name: 'empty', columns: {}, rows: [] };

/** A request, its caller, and what it wants of the total: nothing, or so far beside the true one. */
interface AskedFor extends Asked {
  /** Whether the exact total was asked for just before, so that it may be kept. */
  readonly isKnown: boolean;
  readonly limit: 'none' | 'first' | number;
}

const asked: readonly AskedFor[] = fc.sample(
  fc.record({
    request: anyRequest,
    hasPolicy: fc.boolean(),
    isKnown: fc.boolean(),
    limit: fc.oneof(
      { arbitrary: fc.constant('none' as const), weight: 2 },
      { arbitrary: fc.constant('first' as const), weight: 1 },
      { arbitrary: fc.integer({ min: -1, max: 1 }), weight: 3 },
      { arbitrary: fc.integer({ min: -60, max: 60 }), weight: 2 },
    ),
  }),
  { numRuns: REQUESTS, seed: SEED },
);

describe.each(FIXTURES)(
  `totals that are not asked for, or to a limit only, on $name (seed ${SEED})`,
  (fixture) => {
    const opened = useOracleTable(fixture, { others: [EMPTY], maxUpTo: 1000, maxPageSize: 10_000 });
    let engine: Engine;

    beforeAll(() => {
      ({ engine } = opened());
    });

    it(`are left out of the records and pages that SQL written by hand gives, in ${REQUESTS} random requests`, async () => {
      const truths = await truthsOf(fixture, opened().database, asked);
      await expect(expectTruths(asked, truths, askBeside)).resolves.toBeUndefined();
    });

    it('are not counted where no total is asked for, and to one record more than the limit otherwise', async () => {
      const acceleration = { totalCache: false, replyCache: false };
      const models = modelSettings(fixture, [TABLE]);
      const forgetful = await open(opened().database.url, { models, acceleration });
      const statements = followStatements();
      const textsFor = async (total: QueryTotal): Promise<string> => {
        statements.length = 0;
        await forgetful.query(wanting(page(2, 10), total), EVERYTHING);
        return statements.map(({ text }) => text.replaceAll(/\s+/g, ' ')).join('\n');
      };
      expect(await textsFor('none')).not.toMatch(/select count\(\*\) from (?!information_schema)/);
      const limited = await textsFor({ up_to: 100 });
      expect(limited).toMatch(/select count\(\*\) from \(select 1 from [^()]+ limit (\?|\$\d+)\)/);
      expect(limited).not.toMatch(/select count\(\*\) from (?!\(|information_schema)/);
    });

    it('are never shown, even where they are known', async () => {
      const exact = await engine.query(page(1, 50), EVERYTHING);
      expect(exact.page.total).toBe('120');
      for (const list of [page(1, 50), page(1, 51), page(7, 20), page(99, 100)]) {
        const { page: none } = await engine.query(wanting(list, 'none'), EVERYTHING);
        expect(Object.keys(none)).toEqual(['page', 'size', 'total', 'has_next']);
        expect(none.total).toBeNull();
        const { page: some } = await engine.query(wanting(list, { up_to: 7 }), EVERYTHING);
        expect(some).toMatchObject({ total: null, total_at_least: '8' });
      }
      expect((await engine.query(page(1, 50), EVERYTHING)).page).toEqual(exact.page);
      const spelled = wanting(page(1, 50), 'exact');
      expect((await engine.query(spelled, EVERYTHING)).page).toEqual(exact.page);
    });

    it('of an empty list are null or 0, and nothing follows', async () => {
      const last = Number.MAX_SAFE_INTEGER;
      for (const [number, size] of [
        [1, 5],
        [2, 5],
        [last, 5],
        [last, 10_000],
      ] as const) {
        const list = bodyOf({ model: 'empty', page: number, size });
        const none = await engine.query(wanting(list, 'none'), EVERYTHING);
        expect(none).toMatchObject({ result: '[]', page: { total: null, has_next: false } });
        const some = await engine.query(wanting(list, { up_to: 1 }), EVERYTHING);
        expect(some).toMatchObject({ result: '[]', page: { total: '0', has_next: false } });
      }
    });

    it('are refused with a limit beyond that of the settings, which the error names', async () => {
      const most = await engine.query(wanting(page(1, 5), { up_to: 1000 }), EVERYTHING);
      expect(most.page.total).toBe('120');
      const refused = engine.query(wanting(page(1, 5), { up_to: 1001 }), EVERYTHING);
      const error: unknown = await refused.catch((reason: unknown) => reason);
      expect((error as InvalidQueryError).errors).toEqual([
        {
          pointer: '/query_total/up_to',
          code: 'invalid_query_total',
          detail: '/query_total/up_to: at most 1000 records are counted; "exact" counts all.',
          maximum: 1000,
        },
      ]);
    });

    /** What the engine gives, and what it should give. */
    async function askBeside(one: AskedFor, [total, ...ids]: Truth) {
      const { request: list, isKnown, limit } = one;
      const body = bodyOf({ model: TABLE.name, ...list });
      const wanted = wantedOf(limit, total);
      if (isKnown) await engine.query(body, grantOf(one));
      const answer = await engine.query(wanting(body, wanted), grantOf(one));
      return {
        given: { ids: idsOf(answer), page: JSON.stringify(answer.page) },
        right: { ids, page: pageText(list, total, wanted) },
        request: `seed ${SEED}, ${JSON.stringify({ ...one, wanted })}`,
      };
    }
  },
);

function page(number: number, size: number, sortedBy = 'id'): unknown {
  return bodyOf({ model: TABLE.name, page: number, size, sort: [{ attribute: sortedBy }] });
}

function wanting(body: unknown, total: QueryTotal): unknown {
  return { ...(body as object), query_total: total };
}

function wantedOf(limit: AskedFor['limit'], total: number): QueryTotal {
  if (limit === 'none') return 'none';
  return { up_to: limit === 'first' ? 1 : Math.max(1, total + limit) };
}

/** Worked out anew from the true total. */
function pageText(
  { page: number, size }: OracleRequest,
  total: number,
  wanted: QueryTotal,
): string {
  const limit = typeof wanted === 'object' ? wanted.up_to : 0;
  const isShown = wanted !== 'none' && total <= limit;
  return JSON.stringify({
    page: String(number),
    size: String(size),
    total: isShown ? String(total) : null,
    total_at_least: wanted === 'none' || isShown ? undefined : String(limit + 1),
    has_next: number * size < total,
  });
}

function idsOf({ result }: Answer): number[] {
  return (JSON.parse(result) as { id: number }[]).map(({ id }) => id);
}
