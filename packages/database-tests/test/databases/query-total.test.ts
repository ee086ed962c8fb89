import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import type { QueryTotal } from '@proj/contract';
import {
  type Answer,
  type Engine,
  ENGINE_CHANNELS,
  EVERYTHING,
  Grant,
  InvalidQueryError,
  type TracedStatement,
} from '@proj/engine';
import { beforeRelease, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

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

const REQUESTS = beforeRelease ? 1000 : 40;

/** So many requests are under way at a time. */
const ABREAST = 8;

const [rows = []] = fc.sample(anyRows, { numRuns: 1, seed: SEED });
const TABLE: Table = { name: 'things', columns: ORACLE_TABLE_COLUMNS, rows };

/** No caller of this grant sees the rows beyond. */
const POLICY = { attribute: 'id', op: 'lte', value: 70 } as const;
const NARROW = new Grant(new Map([['things', { attributes: 'all', rowPolicy: POLICY }]]));

/** A request, its caller, and what it wants of the total: nothing, or so far beside the true one. */
interface Asked {
  readonly request: OracleRequest;
  readonly hasPolicy: boolean;
  /** Whether the exact total was asked for just before, so that it may be kept. */
  readonly isKnown: boolean;
  readonly limit: 'none' | 'first' | number;
}

const asked: readonly Asked[] = fc.sample(
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
    let database: FixtureDatabase;
    let engine: Engine;

    beforeAll(async () => {
      database = await fixture.create();
      await createTable(fixture, database, TABLE);
      await createTable(fixture, database, { name: 'empty', columns: {}, rows: [] });
      const models = modelSettings(fixture, [TABLE]);
      engine = await open(database.url, { models, maxUpTo: 1000, maxPageSize: 10_000 });
    });

    it(`are left out of the records and pages that SQL written by hand gives, in ${REQUESTS} random requests`, async () => {
      const truths = await askClient();
      for (let from = 0; from < asked.length; from += ABREAST) {
        const some = asked.slice(from, from + ABREAST);
        const found = await Promise.all(
          some.map((one, index) => askBeside(one, truths[from + index] ?? [])),
        );
        for (const { given, right, request } of found)
          expect({ given, request }).toEqual({ given: right, request });
      }
    });

    it('are not counted where no total is asked for, and to one record more than the limit otherwise', async () => {
      const acceleration = { totalCache: false, replyCache: false };
      const models = modelSettings(fixture, [TABLE]);
      const forgetful = await open(database.url, { models, acceleration });
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
    async function askBeside(
      { request: list, hasPolicy, isKnown, limit }: Asked,
      [total = 0, ...ids]: Truth,
    ) {
      const body = bodyOf({ model: TABLE.name, ...list });
      const grant = hasPolicy ? NARROW : EVERYTHING;
      const wanted = wantedOf(limit, total);
      if (isKnown) await engine.query(body, grant);
      const answer = await engine.query(wanting(body, wanted), grant);
      return {
        given: { ids: idsOf(answer), page: JSON.stringify(answer.page) },
        right: { ids, page: pageText(list, total, wanted) },
        request: `seed ${SEED}, ${JSON.stringify({ list, wanted, hasPolicy, isKnown })}`,
      };
    }

    /** The total of each request and the ids of its page, asked all at once. */
    async function askClient(): Promise<Truth[]> {
      const spelling = SPELLINGS[fixture.family];
      if (spelling === undefined) throw new Error(`No SQL is known of ${fixture.name}.`);
      const script = asked.map(({ request, hasPolicy }) => {
        const { filter } = request;
        const visible = filter === undefined ? POLICY : { and: [POLICY, filter] };
        const seen = hasPolicy ? { ...request, filter: visible } : request;
        return `select '#';\n${oracleSql(TABLE.name, seen, spelling)}`;
      });
      const printed = (await database.client(script.join('\n'))).split('#\n').slice(1);
      return printed.map((lines) => lines.trim().split('\n').map(Number));
    }
  },
);

/** The total and the ids of a page, as SQL written by hand gives them. */
type Truth = readonly number[];

function page(number: number, size: number, sortedBy = 'id'): unknown {
  return bodyOf({ model: TABLE.name, page: number, size, sort: [{ attribute: sortedBy }] });
}

function wanting(body: unknown, total: QueryTotal): unknown {
  return { ...(body as object), query_total: total };
}

function wantedOf(limit: Asked['limit'], total: number): QueryTotal {
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

/** The statements that run until the test ends. */
function followStatements(): TracedStatement[] {
  const statements: TracedStatement[] = [];
  const note = (message: unknown): void => void statements.push(message as TracedStatement);
  subscribe(ENGINE_CHANNELS.statement, note);
  onTestFinished(() => void unsubscribe(ENGINE_CHANNELS.statement, note));
  return statements;
}
