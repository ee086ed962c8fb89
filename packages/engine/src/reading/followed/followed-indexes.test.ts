import { describe, expect, it } from 'vitest';

import { queryOf } from '../../../test/page-questions.ts';
import type { FollowedIndex, WantedKeys } from '../../sources/following/followed-moment.ts';
import type { KeySnapshot, RelationMoment } from '../../sources/source.ts';
import type { KeysStatement } from '../../sql/query-statements.ts';
import { MechanismCounters } from '../cache-stats.ts';
import type { WorkStep } from './followed-work.ts';
import { FollowedIndexes } from './followed-indexes.ts';

const FIRST: WantedKeys = { from: undefined, part: undefined, rows: 10_001, step: 100 };

/** Indexes over a source that does what the test says. */
function startIndexes() {
  const state = {
    sorted: 0,
    begun: 0,
    isComplete: false,
    isLate: false,
    wants: [] as (WantedKeys | undefined)[],
  };
  const steps: WorkStep[] = [];
  const read: KeysStatement[] = [];
  const indexes = new FollowedIndexes(new MechanismCounters(), {
    begin: (_relation, step) => void steps.push(step),
  });
  const index: FollowedIndex = {
    get isComplete() {
      return state.isComplete;
    },
    isBroken: false,
    locate: () => undefined,
    checkpoints: () => undefined,
    wants: () => state.wants[0],
    learn: async () => {
      if (state.isLate) return false;
      state.wants.shift();
      state.isComplete = state.wants.length === 0;
      return true;
    },
  };
  const moment = {
    index: async () => (state.begun > 0 ? index : undefined),
    beginIndex: async () => {
      state.begun += 1;
      return true;
    },
  } as unknown as RelationMoment;
  const snapshot = {
    estimateSort: async () => ({ rows: state.sorted }),
    keys: async (statement: KeysStatement) => {
      read.push(statement);
      return { rows: [] };
    },
  } as unknown as KeySnapshot;
  const ask = (): boolean => {
    const has = indexes.has(queryOf());
    if (!has) indexes.want(queryOf());
    return has;
  };
  const work = async (): Promise<boolean | undefined> => steps.at(-1)?.(snapshot, moment);
  return { state, steps, read, ask, work };
}

describe('a followed page index', () => {
  it('is read in chunks when it is asked for again, and serves when it is complete', async () => {
    const { state, steps, read, ask, work } = startIndexes();
    expect([ask(), ask()]).toEqual([false, false]);
    expect(steps).toHaveLength(1);
    const next: WantedKeys = { ...FIRST, from: ['7', null] };
    const part: WantedKeys = { ...FIRST, part: 'null' };
    state.wants = [FIRST, next, part];
    expect([await work(), await work(), await work()]).toEqual([true, true, false]);
    expect(read.map(({ rows }) => rows.sql)).toEqual(['anything', 'from_key', 'null']);
    expect(read.map(({ bindings: { key } }) => key)).toEqual([[], ['7', null], []]);
    expect(ask()).toBe(true);
  });

  it('is not begun for a list each of whose chunks would be sorted out of the whole', async () => {
    const { state, steps, read, ask, work } = startIndexes();
    state.sorted = 20_001;
    for (let turn = 0; turn < 2; turn++) ask();
    expect(await work()).toBe(false);
    expect([state.begun, read.length]).toEqual([0, 0]);
    ask();
    expect(steps).toHaveLength(1);
  });

  it('goes on in a later snapshot where one does not see what came before it began', async () => {
    const { state, read, ask, work } = startIndexes();
    for (let turn = 0; turn < 2; turn++) ask();
    expect(await work()).toBe(true);
    state.wants = [FIRST];
    expect(await work()).toBe(false);
    expect(read).toHaveLength(1);
  });

  it('goes on where what was read came too late to be taken in', async () => {
    const { state, read, ask, work } = startIndexes();
    for (let turn = 0; turn < 2; turn++) ask();
    Object.assign(state, { wants: [FIRST], isLate: true });
    for (let turn = 0; turn < 19; turn++) expect(await work()).toBe(true);
    state.isLate = false;
    expect([await work(), read.length]).toEqual([false, 20]);
    expect(ask()).toBe(true);
  });

  it('is given up where no snapshot is of use', async () => {
    const { ask, work } = startIndexes();
    for (let turn = 0; turn < 2; turn++) ask();
    let tries = 1;
    while ((await work()) === true) tries += 1;
    expect(tries).toBe(20);
  });
});
