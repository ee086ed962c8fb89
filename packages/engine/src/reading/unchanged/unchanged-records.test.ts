import { expect, it, vi } from 'vitest';

import {
  numberedCheckpoints,
  numberedList,
  recordStatements,
} from '../../../test/numbered-list.ts';
import { callBy, pageOf, questionOf } from '../../../test/page-questions.ts';
import { readsBy } from '../../../test/reads-by.ts';
import type { Condition } from '../../planning/condition.ts';
import { recordShape } from '../../sources/read-call.ts';
import { NOT_IN_LIST } from '../../sources/reads/record.ts';
import type { ReadCall, RecordRows, Snapshot } from '../../sources/source.ts';
import { MechanismCounters } from '../cache-stats.ts';
import type { RecordQuestion } from '../reader.ts';
import { UnchangedLists, type UnchangedListsParts } from './unchanged-lists.ts';

const KNOWN = { total: 5000n, version: '1', foundFor: 'ann' };

const MILLISECONDS = { rows: 1, count: 1 };

/** A record on the page from 2340 on, read by a count. */
const COUNTED: RecordRows = {
  json: 'counted',
  rows: 10,
  total: 5000n,
  offset: 2340n,
  version: '1',
  milliseconds: MILLISECONDS,
};

/** Lists of 5000 records, as long as their version is 1, with what was read how. */
function startLists({ hasKeys = false, found = COUNTED } = {}) {
  const list = numberedList(2345, { numbers: 5000 });
  const state = { known: KNOWN as typeof KNOWN | undefined };
  const observe = vi.fn<(version: unknown) => void>();
  const knownTotals = {
    total: () => state.known,
    checkpoints: () =>
      hasKeys ? numberedCheckpoints(list.keyAt, { first: 0, step: 10, length: 500 }) : undefined,
    locate: vi.fn<(...asked: unknown[]) => object>(() => ({})),
    want: vi.fn<(...asked: unknown[]) => void>(),
    learn: vi.fn<(...asked: unknown[]) => void>(),
    versionOf: () => ({ observe }),
  };
  const shapes: unknown[] = [];
  const rows = vi
    .fn<Snapshot['rows']>()
    .mockResolvedValue({ json: 'sought', rows: 10, version: '1' });
  const source = {
    ...readsBy<'record'>({ record: async () => Promise.resolve(found) }),
    inSnapshot: async (_statements: unknown, work: (one: Snapshot) => unknown, call: ReadCall) => {
      shapes.push(call.shape);
      return work({ ...list.snapshot, rows } as unknown as Snapshot);
    },
  };
  const parts = { source, knownTotals, counters: new MechanismCounters() };
  const lists = new UnchangedLists(parts as unknown as UnchangedListsParts);
  return { lists, state, knownTotals, observe, shapes };
}

function recordOf(facts: Parameters<typeof questionOf>[0] = {}): RecordQuestion {
  const { range: _range, ...question } = questionOf(facts);
  Object.assign(question.query, { records: recordStatements() });
  return { ...question, record: {} as Condition, size: 10 };
}

it('a record of unchanged data is counted where no keys of its list are kept, which asks for them', async () => {
  const { lists, knownTotals, observe } = startLists();
  const question = recordOf();
  expect(await lists.record(question, callBy('bob'))).toEqual(COUNTED);
  const range = { size: 10, offset: 2340n };
  const wanted = { range, known: KNOWN, caller: 'bob' };
  expect(knownTotals.want.mock.calls).toEqual([[question.query, wanted]]);
  expect(observe).toHaveBeenCalledExactlyOnceWith('1');
});

it('a record of unchanged data is sought by the keys that are kept of its list', async () => {
  const { lists, knownTotals, shapes } = startLists({ hasKeys: true });
  const question = recordOf();
  const page = await lists.record(question, callBy('bob'));
  expect(page).toMatchObject({ json: 'sought', total: 5000n, offset: 2340n, version: '1' });
  const range = { size: 10, offset: 2340n };
  expect(knownTotals.locate.mock.calls).toEqual([[question.query, range, KNOWN]]);
  expect(knownTotals.want).not.toHaveBeenCalled();
  expect(shapes).toEqual([recordShape(question.query.statements, true)]);
});

it('a record that the list does not have is on no page, and asks for no keys', async () => {
  const { lists, knownTotals } = startLists({ found: NOT_IN_LIST });
  expect(await lists.record(recordOf(), callBy())).toEqual(NOT_IN_LIST);
  expect(knownTotals.want).not.toHaveBeenCalled();
});

it.each([{ version: '2' }, { version: undefined }, { rows: 9 }])(
  'a record is left to others where its page has %o, unlike the total',
  async (facts) => {
    const { lists, knownTotals, observe } = startLists({ found: { ...COUNTED, ...facts } });
    expect(await lists.record(recordOf(), callBy())).toBeUndefined();
    expect(knownTotals.want).not.toHaveBeenCalled();
    expect(observe).toHaveBeenCalledExactlyOnceWith('version' in facts ? facts.version : '1');
  },
);

it('a record is left to others where neither its order nor the total is known, nor versions', async () => {
  const { lists, state, observe } = startLists();
  const without = recordOf();
  Object.assign(without.query, { records: undefined });
  const unversioned = recordOf({ versioned: false });
  for (const question of [without, unversioned])
    expect(await lists.record(question, callBy())).toBeUndefined();
  state.known = undefined;
  expect(await lists.record(recordOf(), callBy())).toBeUndefined();
  expect(observe).not.toHaveBeenCalled();
});

it('what is known of a list tells the path to its pages, and is learned with a version alone', () => {
  const { lists, state, knownTotals } = startLists();
  const paths = () =>
    [questionOf(), questionOf({ versioned: false })].map((one) => lists.pathTo(one));
  expect([paths(), lists.foundFor(questionOf())]).toEqual([['quick', undefined], 'ann']);
  state.known = undefined;
  expect([paths(), lists.foundFor(questionOf())]).toEqual([['unknown', undefined], undefined]);
  for (const versioned of [false, true]) lists.learn(questionOf({ versioned }), pageOf());
  expect(knownTotals.learn).toHaveBeenCalledOnce();
});
