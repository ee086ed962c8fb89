import { describe, expect, it, vi } from 'vitest';

import {
  numberedCheckpoints,
  numberedList,
  recordStatements,
} from '../../../test/numbered-list.ts';
import { callBy, questionOf, type QuestionFacts } from '../../../test/page-questions.ts';
import { readsBy } from '../../../test/reads-by.ts';
import type { Condition } from '../../planning/condition.ts';
import { recordShape, shapeOf } from '../../sources/read-call.ts';
import type { FollowedCall, KeySnapshot, MomentWork, Versioned } from '../../sources/source.ts';
import type { RowsStatement } from '../../sql/query-statements.ts';
import type { MechanismCounters } from '../cache-stats.ts';
import type { RecordQuestion } from '../reader.ts';
import { FollowedLists, type FollowedListsParts } from './followed-lists.ts';

interface Facts {
  readonly place?: number | undefined;
  readonly hasKeys?: boolean;
  readonly hasIndexes?: boolean;
}

/** Followed lists of 5000 records over what a test says of totals and indexes. */
function startLists({ place, hasKeys = false, hasIndexes = true }: Facts = {}) {
  const state = {
    follows: true,
    has: true,
    hasIndex: false,
    total: 5000n as bigint | undefined,
    rows: 10,
  };
  const read: [how: string, rows: RowsStatement, shape: string | undefined][] = [];
  const list = numberedList(place, { numbers: 5000 });
  const rowsOf = (asked: RowsStatement, how: string, shape?: string) => {
    read.push([how, asked, shape]);
    return { json: how, rows: state.rows, version: 'of rows' };
  };
  const during = async <Read extends Versioned>(
    _relation: unknown,
    work: MomentWork<Read>,
    { shape }: FollowedCall,
  ): Promise<Read> => {
    const rows = async (asked: RowsStatement) => rowsOf(asked, 'moment', shape);
    const snapshot = { ...list.snapshot, rows } as unknown as KeySnapshot;
    return work(snapshot, { version: 'v7', total: async () => state.total } as never);
  };
  const indexes = {
    has: () => state.hasIndex,
    want: vi.fn<() => void>(),
    of: async () => undefined,
    locate: () => undefined,
    checkpoints: async () =>
      hasKeys ? numberedCheckpoints(list.keyAt, { first: 0, step: 10, length: 500 }) : undefined,
  };
  const wanted = Promise.resolve(0);
  const totals = {
    has: () => state.has,
    want: vi.fn<(query: unknown, caller: unknown) => Promise<number>>(() => wanted),
    noteUse: vi.fn<() => void>(),
    foundFor: () => 'ann',
  };
  const source = readsBy<'page'>({
    rows: async (asked, { shape }) => ({
      ...rowsOf(asked, 'plain', shape),
      followedTotal: state.total,
    }),
  });
  const changes = { during, follows: () => state.follows };
  const parts = {
    source,
    changes,
    totals,
    indexes: hasIndexes ? indexes : undefined,
    minOffset: 1000,
  };
  const lists = new FollowedLists({
    ...(parts as unknown as FollowedListsParts),
    counter: {} as ReturnType<MechanismCounters['create']>,
  });
  return { lists, state, read, indexes, totals, wanted };
}

const at = (offset: number, facts: QuestionFacts = {}) =>
  questionOf({ offset: BigInt(offset), ...facts });

/** A question of records that a condition keeps. */
function filteredAt(offset: number) {
  const question = at(offset);
  Object.assign(question.query.plan, { condition: {} });
  return question;
}

function recordOf(statements = recordStatements()): RecordQuestion {
  const { range: _range, ...question } = at(0);
  Object.assign(question.query, { records: statements });
  return { ...question, record: {} as Condition, size: 10 };
}

describe('the path to a page of a followed list', () => {
  it.each([
    [0, {}, 'quick'],
    [999, {}, 'quick'],
    [1000, {}, 'long'],
    [3990, {}, 'long'],
    [3991, {}, 'quick'],
    [4985, { reversible: false }, 'long'],
  ])(
    'from %i on, with %j, is %s in the middle of a list of 5000 alone',
    async (offset, facts, path) => {
      for (const hasIndexes of [true, false]) {
        const { lists, state, indexes } = startLists({ hasIndexes });
        expect(lists.pathTo(at(offset, facts))).toBe('quick');
        await lists.page(at(0, facts), callBy());
        expect(lists.pathTo(at(offset, facts))).toBe(path);
        expect(lists.want(at(offset, facts), callBy())).toBeUndefined();
        expect(indexes.want).toHaveBeenCalledTimes(path === 'long' && hasIndexes ? 1 : 0);
        state.hasIndex = true;
        expect(lists.pathTo(at(offset, facts))).toBe(hasIndexes ? 'quick' : path);
        void lists.want(at(offset, facts), callBy());
        expect(indexes.want).toHaveBeenCalledTimes(path === 'long' && hasIndexes ? 1 : 0);
      }
    },
  );

  it('is unknown without a total, which is then wanted, and none where a filter is not followed', async () => {
    const { lists, state, totals, wanted } = startLists();
    expect(lists.foundFor(at(0))).toBe('ann');
    state.has = false;
    const shown = at(0);
    Object.assign(shown.query.plan, { session: {} });
    const paths = [at(0), filteredAt(0), shown].map((one) => lists.pathTo(one));
    expect(paths).toEqual(['unknown', undefined, undefined]);
    const question = at(0);
    expect(lists.want(question, callBy('bob'))).toBe(wanted);
    expect(totals.want).toHaveBeenCalledExactlyOnceWith(question.query, 'bob');
    state.follows = false;
    expect([lists.pathTo(at(0)), lists.want(at(0), callBy('bob'))]).toEqual([undefined, undefined]);
    expect(await lists.record(recordOf(), callBy())).toBeUndefined();
    expect(totals.want).toHaveBeenCalledOnce();
  });
});

it.each([
  [at(999), 'plain'],
  [filteredAt(999), 'moment'],
  [at(1000), 'moment'],
])(
  'a page is read plainly near the beginning of a whole list, else in a moment',
  async (question, how) => {
    const { lists, state, read, totals } = startLists();
    const { query, range } = question;
    const shape = how === 'plain' ? undefined : shapeOf('followed rows', range);
    expect(await lists.page(question, callBy())).toMatchObject({ json: how, total: 5000n });
    expect(read).toMatchObject([[how, { statement: { sql: 'rows' } }, shape]]);
    expect(totals.noteUse).toHaveBeenCalledExactlyOnceWith(query);
    state.total = undefined;
    for (state.rows of [10, 0]) expect(await lists.page(question, callBy())).toBeUndefined();
  },
);

it('a page in the middle of a list is read by its place where there are no page indexes', async () => {
  const { lists, read } = startLists({ hasIndexes: false });
  for (const offset of [0, 2000])
    expect(await lists.page(at(offset), callBy())).toMatchObject({ total: 5000n });
  expect(read[1]?.[1]).toMatchObject({ bindings: { offset: 2000n } });
});

it('a page of a list whose changes nobody can follow is not read', async () => {
  const { lists, read } = startLists();
  expect(await lists.page(at(1000, { versioned: false }), callBy())).toBeUndefined();
  expect(read).toEqual([]);
});

describe('a record of a followed list', () => {
  it.each<[Facts, bigint, object]>([
    [{ place: 2345 }, 2340n, { offset: 2340n }],
    [{ place: 2345, hasKeys: true }, 2340n, { offset: 0n, key: [2340, 0] }],
    [{ place: 7, hasKeys: true }, 0n, { offset: 0n }],
    [{ place: 2345, hasIndexes: false }, 2340n, { offset: 2340n }],
  ])(
    'with %j is on the page from %i on, which is read from the nearest end or key',
    async (facts, offset, bindings) => {
      const { lists, read, totals, indexes } = startLists(facts);
      const question = recordOf();
      const page = await lists.record(question, callBy());
      expect(page).toMatchObject({ json: 'moment', total: 5000n, offset, version: 'v7' });
      const shape = recordShape(question.query.statements, false);
      expect(read).toMatchObject([['moment', {}, shape]]);
      expect(read[0]?.[1].bindings).toEqual({ size: 10, ...bindings });
      expect(totals.noteUse).toHaveBeenCalledExactlyOnceWith(question.query);
      const isWanted = offset > 0n && facts.hasIndexes !== false;
      expect(indexes.want).toHaveBeenCalledTimes(isWanted ? 1 : 0);
    },
  );

  it('has the shape of reads with keys where there is an index, which is not wanted again', async () => {
    const { lists, state, read, indexes } = startLists({ place: 2345, hasKeys: true });
    state.hasIndex = true;
    const question = recordOf();
    await lists.record(question, callBy());
    expect(read[0]?.[2]).toBe(recordShape(question.query.statements, true));
    expect(indexes.want).not.toHaveBeenCalled();
  });

  it('that the list does not have is on no page, and says nothing of the list', async () => {
    const { lists, totals } = startLists();
    expect(await lists.record(recordOf(), callBy())).toMatchObject({
      json: '[]',
      offset: undefined,
    });
    expect(totals.noteUse).not.toHaveBeenCalled();
  });

  it('is left to others where total, statements or rows do not tell', async () => {
    const { lists, state, read } = startLists({ place: 5005 });
    expect(await lists.record(recordOf(), callBy())).toMatchObject({ json: '[]', offset: 5000n });
    const other = startLists({ place: 2345 });
    other.state.rows = 9;
    expect(await other.lists.record(recordOf(), callBy())).toBeUndefined();
    state.total = undefined;
    expect(await lists.record(recordOf(), callBy())).toBeUndefined();
    state.total = 5000n;
    const without = recordOf();
    Object.assign(without.query, { records: undefined });
    expect(await lists.record(without, callBy())).toBeUndefined();
    state.has = false;
    expect(await lists.record(recordOf(), callBy())).toBeUndefined();
    expect(read).toEqual([]);
  });
});
