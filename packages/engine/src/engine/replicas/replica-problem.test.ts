import { expect, it } from 'vitest';

import { NUMBERS } from '../../../test/number-positions.ts';
import type { LogState } from '../../sources/log-position.ts';
import { replicaProblem } from './replica.ts';

const state = (log: string, applied: number, isReplica: boolean): LogState => {
  return { server: 'one', log, isReplica, applied: String(applied), seen: String(applied) };
};

it.each([
  [undefined, state('1.a', 9, true)],
  ['other_cluster', state('1.b', 9, true)],
  ['other_cluster', state('1.b', 9, false)],
  ['not_a_replica', state('1.a', 9, false)],
  ['other_timeline', state('2.a', 9, true)],
  ['ahead', state('1.a', 11, true)],
])('of a primary at 10 of the log 1.a is found: %s', (fault, replica) => {
  const found = replicaProblem(replica, state('1.a', 10, false), NUMBERS);
  expect(found?.fault).toBe(fault);
});

it('one that is ahead of another replica is none the worse for it', () => {
  const primary = state('1.a', 10, true);
  expect(replicaProblem(state('1.a', 11, true), primary, NUMBERS)).toBeUndefined();
});
