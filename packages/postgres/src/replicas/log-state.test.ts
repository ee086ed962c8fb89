import { expect, it } from 'vitest';

import { logStateOf, runningOnPrimary } from './log-state.ts';

const STANDBY = ['7', '1 2 standby', 'true', '1', '0/20', '0/20', null, '200'];

it('on a standby that has applied all it received, nothing beyond was seen', () => {
  const { applied, seen, isReplica } = logStateOf(STANDBY);
  expect(isReplica).toBe(true);
  expect(seen).toBe(applied);
});

it.each(['0/30', null])(
  'on a standby that has received up to %s, the next record may have been seen already',
  (received) => {
    const { applied, seen } = logStateOf(STANDBY.with(5, received));
    expect(applied).toMatch(/^0\/20@1\./);
    expect(seen).toMatch(/^0\/21@1\./);
  },
);

it('on a primary everything was seen that is in its log, and what is older than three delays is on disk', () => {
  const state = logStateOf(['7', '1 2 primary', 'false', '3', '0/30', null, '0/20', '200']);
  expect(state).toMatchObject({ isReplica: false, flushed: { withinMs: 600 } });
  expect(state.seen).toBe(state.applied);
  expect(state.flushed?.position).toMatch(/^0\/20@3\./);
});

it('needs a position', () => {
  expect(() => logStateOf(STANDBY.with(4, null))).toThrow('no position');
});

it.each([
  ['nothing where all has ended that the standby shows', '9:9:', '9:9:', []],
  ['nothing where only later transactions run', '9:9:', '9:11:9', []],
  ['those that run and that the standby may show', '9:9:', '7:9:7,8', [7n, 8n]],
  ['anything where the standby shows a later one', '9:9:', '8:8:', undefined],
  ['anything where the server does not say what it shows', '9:9:', null, undefined],
])('the primary may lack %s', (_what, shown, running, expected) => {
  const replica = logStateOf([...STANDBY, shown]);
  const primary = logStateOf(['7', '1', 'false', '1', '0/30', null, '0/20', '200', running]);
  expect(runningOnPrimary({ replica, primary })).toEqual(expected);
});
