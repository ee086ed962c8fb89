import { describe, expect, it } from 'vitest';

import { readsBy } from '../../../test/reads-by.ts';
import { callBy, pageOf, queryOf, questionOf } from '../../../test/page-questions.ts';
import { ReaderByHand } from '../../../test/reader-by-hand.ts';
import { QueryFailedError } from '../../errors.ts';
import type {
  FollowedIndex,
  RowPlace,
  WantedKeys,
} from '../../sources/following/followed-moment.ts';
import type {
  KeySnapshot,
  MomentWork,
  PageRows,
  RelationMoment,
  RowsRead,
  Versioned,
} from '../../sources/source.ts';
import type { RowsStatement } from '../../sql/query-statements.ts';
import { MechanismCounters } from '../cache-stats.ts';
import { FollowedIndexes } from './followed-indexes.ts';
import { FollowedLists } from './followed-lists.ts';
import type { FollowedRows } from './followed-rows.ts';
import { FollowedTotals } from './followed-totals.ts';
import { PageReader } from '../page-reader.ts';
import type { PageQuestion } from '../reader.ts';

const TOO_LARGE = new QueryFailedError('reply_too_large', 'Too many records.');

/** An index of which the test says what it knows. */
function indexOf({ place, wants }: { place?: RowPlace; wants?: WantedKeys }): FollowedIndex {
  return {
    isComplete: true,
    isBroken: false,
    locate: () => place,
    checkpoints: () => undefined,
    wants: () => wants,
    learn: async () => false,
  };
}

/** A reader over a relation that is followed as the test says. */
function startReader() {
  const state = {
    isFollowed: true,
    isLate: false,
    total: 5000n as bigint | undefined,
    index: undefined as FollowedIndex | undefined,
    indexesAsked: 0,
    rows: undefined as number | undefined,
    error: undefined as Error | undefined,
    step: undefined as Promise<void> | undefined,
  };
  const [reads, begun]: [RowsStatement[], string[]] = [[], []];
  const counters = new MechanismCounters();
  const next = new ReaderByHand<PageQuestion, PageRows>();
  const rows = async (read: RowsStatement): Promise<RowsRead> => {
    if (state.error !== undefined) throw state.error;
    reads.push(read);
    const { size, offset } = read.bindings;
    const rest = Number((state.total ?? 0n) - offset);
    return { json: 'rows', rows: state.rows ?? Math.min(size, rest), version: '7' };
  };
  const moment = {
    version: '7',
    total: async () => state.total,
    index: async () => {
      state.indexesAsked += 1;
      return state.index;
    },
    beginIndex: async () => false,
  } as unknown as RelationMoment;
  async function during<Read extends Versioned>(
    _relation: readonly string[],
    work: MomentWork<Read>,
  ): Promise<Read | undefined> {
    return state.isLate ? undefined : work({ rows } as unknown as KeySnapshot, moment);
  }
  const rowsRead = readsBy<'page'>({
    rows: async (read) => {
      const found = await rows(read);
      return state.isLate ? found : { ...found, followedTotal: state.total };
    },
  });
  const changes = {
    during,
    follows: () => state.isFollowed,
    knowsTotal: () => state.total !== undefined,
  };
  const workOf = (kind: string) => ({
    begin: ({ relation }: FollowedRows) => void begun.push(`${kind} of ${relation.join()}`),
    stepEnd: () => state.step,
  });
  const indexes = new FollowedIndexes(counters, workOf('index'));
  const totals = new FollowedTotals({ changes, work: workOf('count'), leastCountMs: 0 });
  const counter = counters.create('followed_total');
  const lists = new FollowedLists({
    source: rowsRead,
    changes,
    totals,
    indexes,
    minOffset: 1000,
    counter,
  });
  const reader = new PageReader({ source: readsBy({}), lists: [lists], counted: next });
  const behind = reader;
  const read = (offset: number, question = questionOf({ offset: BigInt(offset) })) =>
    reader.read(question, callBy());
  const hits = (mechanism: string): unknown => {
    const found = counters.statistics.find((one) => one.mechanism === mechanism);
    return [found?.hits, found?.misses];
  };
  const readBehind = (offset: number) =>
    behind.read(questionOf({ offset: BigInt(offset) }), callBy());
  return { state, reads, begun, next, read, readBehind, hits };
}

/** The page of the next link, which is asked. */
async function passedOn(
  { next }: ReturnType<typeof startReader>,
  page: Promise<Pick<PageRows, 'json'>>,
) {
  const before = next.reads.length;
  await expect.poll(() => next.reads.length).toBeGreaterThan(Math.max(0, before - 1));
  next.reads.at(-1)?.answer(pageOf({ json: 'next' }));
  expect((await page).json).toBe('next');
}

describe('a page of a followed relation', () => {
  it('near the beginning is read with the total of its snapshot', async () => {
    const started = startReader();
    expect(await started.read(990)).toMatchObject({ json: 'rows', total: 5000n, version: '7' });
    expect(started.reads).toMatchObject([{ statement: { sql: 'rows' }, reversed: false }]);
    expect(started.hits('followed_total')).toEqual([1, 0]);
  });

  it('near the end is read from there, and one past the end is not read', async () => {
    const started = startReader();
    expect(await started.read(4985)).toMatchObject({ rows: 10, total: 5000n, version: '7' });
    expect(started.reads).toMatchObject([{ statement: { sql: 'reversed' }, reversed: true }]);
    expect(await started.read(5000)).toMatchObject({ json: '[]', rows: 0, total: 5000n });
    expect(started.reads).toHaveLength(1);
  });

  it('asks for an index only where it is deep in its list', async () => {
    const { read, state } = startReader();
    state.index = indexOf({ place: { from: ['7', 'a'], skip: 12, reachesNulls: false } });
    for (const offset of [0, 4985, 4500, 990]) await read(offset);
    expect(state.indexesAsked).toBe(0);
    for (const [place, offset] of [2000, 2500].entries()) {
      await read(offset);
      expect(state.indexesAsked).toBe(place + 1);
    }
    // The list is shorter now than as of the last page, so that this one is near its end.
    state.total = 2600n;
    await read(2500);
    state.total = 5000n;
    await read(2500);
    expect(state.indexesAsked).toBe(4);
  });

  it('deep in a list is read from a key once the list has an index', async () => {
    const started = startReader();
    started.state.index = indexOf({ place: { from: ['7', 'a'], skip: 12, reachesNulls: false } });
    expect(await started.read(2000)).toMatchObject({ rows: 10, total: 5000n });
    expect(started.reads).toMatchObject([
      {
        statement: { sql: 'seek', shape: { nulls: [false, false], reachesNulls: false } },
        bindings: { size: 10, offset: 12n, key: ['7', 'a'] },
      },
    ]);
    started.state.index = indexOf({ place: { from: undefined, skip: 3, reachesNulls: false } });
    expect(started.hits('followed_index')).toEqual([1, 0]);
  });

  it('deep in a list without an index is read by a long path, and asked again begins one', async () => {
    const started = startReader();
    await started.read(0);
    await started.read(2000);
    expect(started.begun).toEqual([]);
    await started.read(2000);
    expect(started.begun).toEqual(['index of list']);
    expect(started.hits('followed_index')).toEqual([0, 2]);
  });

  it('waits for a count that is about to make its total known, and takes none itself', async () => {
    const started = startReader();
    started.state.total = undefined;
    const query = queryOf();
    Object.assign(query.plan, { condition: { and: [] } });
    const question = { ...questionOf(), query };
    await passedOn(started, started.read(0, question));
    const { promise, resolve } = Promise.withResolvers<void>();
    started.state.step = promise;
    const page = started.read(0, question);
    started.state.total = 5000n;
    resolve();
    expect(await page).toMatchObject({ json: 'rows', total: 5000n });
    expect(started.next.reads).toHaveLength(1);
  });

  it('is left to the next link until the total is known, which is counted meanwhile', async () => {
    const started = startReader();
    started.state.total = undefined;
    await passedOn(started, started.read(0));
    expect(started.begun).toEqual(['count of list']);
    expect(started.hits('followed_total')).toEqual([0, 1]);
  });

  it('is left to the next link where the changes are late', async () => {
    const started = startReader();
    started.state.isLate = true;
    for (const offset of [0, 4985]) await passedOn(started, started.read(offset));
    expect(started.hits('followed_total')).toEqual([0, 2]);
  });

  it('is left to the next link where it has other rows than the total says', async () => {
    const started = startReader();
    started.state.rows = 9;
    for (const offset of [0, 4985]) await passedOn(started, started.read(offset));
    expect(started.hits('followed_total')).toEqual([0, 2]);
  });

  it('is left to the next link where the relation is not followed', async () => {
    const started = startReader();
    started.state.isFollowed = false;
    await passedOn(started, started.read(0));
    expect(started.hits('followed_total')).toEqual([0, 0]);
    expect(started.begun).toEqual([]);
  });

  it.each([{ versioned: false }, { snapshots: false }])(
    'is left to the next link where its model has %o',
    async (facts) => {
      const started = startReader();
      await passedOn(started, started.read(0, questionOf(facts)));
      expect(started.reads).toEqual([]);
    },
  );

  it('of a filtered list is read once its total is known, which is counted when asked for', async () => {
    const started = startReader();
    const query = queryOf();
    Object.assign(query.plan, { condition: { and: [] } });
    const question = { ...questionOf(), query };
    started.state.total = undefined;
    await passedOn(started, started.read(0, question));
    expect(started.begun).toEqual(['count of list']);
    // Not every filtered list is worth following.
    expect(started.hits('followed_total')).toEqual([0, 0]);
    started.state.total = 5000n;
    expect(await started.read(0, question)).toMatchObject({ json: 'rows', total: 5000n });
    expect(started.reads).toMatchObject([{ statement: { sql: 'rows' }, reversed: false }]);
  });

  it('that is too large for the database is so, and other errors are passed on', async () => {
    const started = startReader();
    started.state.error = TOO_LARGE;
    expect(await started.read(0)).toMatchObject({ json: undefined, rows: 0 });
    started.state.error = new Error('broken');
    await expect(started.read(0)).rejects.toThrow('broken');
  });
});

describe('behind what is kept of unchanged data, a page of a followed relation', () => {
  it('in the middle of a list without an index is read by its place, without a count', async () => {
    const started = startReader();
    await started.read(0);
    expect(await started.readBehind(2000)).toMatchObject({ rows: 10, total: 5000n, version: '7' });
    expect(started.reads.at(-1)).toMatchObject({
      statement: { sql: 'rows' },
      bindings: { size: 10, offset: 2000n },
    });
    expect(started.hits('followed_total')).toEqual([2, 0]);
    expect(started.hits('followed_index')).toEqual([0, 1]);
  });

  it('whose relation is no longer followed, or late, is left to the next link', async () => {
    const started = startReader();
    await started.read(0);
    started.state.isLate = true;
    await passedOn(started, started.readBehind(2000));
    started.state.isFollowed = false;
    await passedOn(started, started.readBehind(2000));
    expect(started.hits('followed_total')).toEqual([1, 1]);
  });
});
