import { type Acceleration, type BodyNotes, type Engine, EVERYTHING, Grant } from '@proj/engine';
import { beforeRelease, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import type { Fixture, FixtureDatabase } from '../fixtures/fixture.ts';
import { open } from '../open.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const OFF: Acceleration = {
  shortPageProof: false,
  readBackwards: false,
  totalCache: false,
  pageIndex: false,
  replyCache: false,
  singleFlight: false,
  leastCountMs: 5,
  pageIndexMinOffset: 1,
  indexBuildMs: 1,
  memoryBytes: 1,
};

const ROWS = 3000;

const rowPolicy = { attribute: 'few', op: 'eq', value: 2 } as const;
const NARROW = new Grant(new Map([['things', { attributes: 'all', rowPolicy }]]));

async function bind(fixture: Fixture): Promise<FixtureDatabase> {
  const database = await fixture.create();
  const { int64, int32, text } = fixture.columnTypes;
  const values = Array.from({ length: ROWS }, (_, id) => {
    const maybe = id % 4 === 0 ? 'null' : String((id * 7) % 100);
    return `(${id}, ${id % 3}, ${maybe}, 'word ${(id * 13) % 50}')`;
  });
  await database.execute([
    `create table things (id ${int64} primary key, few ${int32} not null, maybe ${int32}, word ${text})`,
    `insert into things values ${values.join(', ')}`,
  ]);
  return database;
}

const requests = fc.record({
  page: fc.oneof(
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 1, max: 400 }),
    fc.integer({ min: 1, max: 2 ** 40 }),
  ),
  size: fc.constantFrom(1, 7, 100, 1000),
  sort: fc.constantFrom(
    [],
    [{ attribute: 'few', direction: 'desc' as const }],
    [{ attribute: 'maybe' }, { attribute: 'word', direction: 'desc' as const }],
    [{ attribute: 'maybe', nulls: 'first' as const }],
  ),
  filter: fc.constantFrom(
    undefined,
    { attribute: 'few', op: 'eq', value: 1 },
    { attribute: 'word', op: 'eq', value: 'word 13' },
    { attribute: 'id', op: 'lt', value: 0 },
  ),
});

describe.each(FIXTURES)('the ways to a page on $name', (fixture) => {
  let database: FixtureDatabase;
  let quick: Engine;
  let plain: Engine;
  /** Of bodies that come again, by their text. */
  const kept = new Map<string, BodyNotes>();
  beforeAll(async () => {
    database = await bind(fixture);
    quick = await open(database.url, { acceleration: { pageIndexMinOffset: 20 } });
    plain = await open(database.url, { acceleration: OFF });
  });

  async function sameReplies(numRuns: number): Promise<string> {
    await fc.assert(
      fc.asyncProperty(requests, fc.boolean(), async ({ page, size, sort, filter }, isNarrow) => {
        const body = {
          query_model: 'things',
          query_attributes: ['id', 'maybe', 'word'],
          page: { page, size },
          ...(sort.length > 0 && { query_sort: sort }),
          ...(filter && { query_filter: filter }),
        };
        const grant = isNarrow ? NARROW : EVERYTHING;
        const text = JSON.stringify(body);
        const notes = kept.get(text) ?? {};
        kept.set(text, notes);
        const answers = await Promise.all([
          quick.query(body, grant, { notes }),
          quick.query(body, grant),
          plain.query(body, grant),
        ]);
        const [first, second, expected] = answers.map((answer) => ({
          result: answer.result,
          page: answer.page,
          facts: answer.facts,
        }));
        expect(first).toEqual(expected);
        expect(second).toEqual(expected);
      }),
      { numRuns, seed: SEED },
    );
    return 'the same replies';
  }

  it('all give the replies that reading everything gives', async () => {
    expect(await sameReplies(beforeRelease ? 150 : 25)).toBe('the same replies');
  });

  it('share one count among callers who ask for different pages at once', async () => {
    const acceleration = { totalCache: false, replyCache: false };
    const sharing = await open(database.url, { acceleration });
    const bodies = Array.from({ length: 12 }, (_, index) => ({
      query_model: 'things',
      query_attributes: ['id'],
      page: { page: index * 20 + 1, size: 10 + index },
    }));
    const ask = (engine: Engine) =>
      Promise.all(bodies.map(async (body) => engine.query(body, EVERYTHING)));
    const [shared, alone] = [await ask(sharing), await ask(plain)];
    expect(shared.map(({ result, page }) => ({ result, page }))).toEqual(
      alone.map(({ result, page }) => ({ result, page })),
    );
    const hits = sharing.statistics().find(({ mechanism }) => mechanism === 'count_batcher')?.hits;
    // Pages near the start of the list share one count and those far from it another: the rows of
    // the latter may take long.
    expect(hits).toBe(bodies.length - 2);
  });

  it('see a write as soon as it is committed, and what it moved', async () => {
    for (const id of [ROWS + 1, ROWS + 2]) {
      await database.execute([
        `insert into things values (${-id}, 1, null, 'word 13')`,
        `delete from things where id = ${id - ROWS}`,
        `update things set maybe = 5 where id = ${id - 100}`,
      ]);
      expect(await sameReplies(8)).toBe('the same replies');
    }
  });

  it('see that everything is gone', async () => {
    await database.execute(['delete from things']);
    expect(await sameReplies(5)).toBe('the same replies');
  });
});
