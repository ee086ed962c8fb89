import { expect, it } from 'vitest';

import { NUMBERS } from '../../../test/number-positions.ts';
import { LogSampler } from './log-clock.ts';
import { PrimaryPositions } from './primary-positions.ts';

const call = { signal: new AbortController().signal, timeoutMs: 1000, deadline: 1000 };

/** A primary whose log grows with each question, and how to ask for the position of a page. */
function start() {
  let asked = 0;
  const logState = () => {
    asked += 1;
    const position = String(asked * 10);
    const state = { server: 'a', log: '', isReplica: false, applied: position, seen: position };
    return Promise.resolve(state);
  };
  const primary = new PrimaryPositions(new LogSampler({ state: logState }), NUMBERS);
  const of = (version: string | undefined, relation = 'cities', wanted: string[] = []) =>
    primary.of({ page: { version }, question: { relations: [[relation]] }, call, wanted });
  return { of, primary };
}

it('asks once for all pages of one version of the data of a relation', async () => {
  const { of } = start();
  expect([await of('v1'), await of('v1'), await of('v2'), await of('v1')]).toEqual([
    '10',
    '10',
    '20',
    '10',
  ]);
  expect(await of('v1', 'towns')).toBe('30');
});

it('asks for each page whose data has no version', async () => {
  const { of } = start();
  expect([await of(undefined), await of(undefined)]).toEqual(['10', '20']);
});

it('takes what the read has brought', async () => {
  const { primary } = start();
  const page = { version: 'v1', position: '7' };
  const question = { relations: [['cities']] };
  expect(await primary.of({ page, question, call, wanted: [] })).toBe('7');
});

it('includes what the caller has asked for, and asks where the primary is not known to be so far', async () => {
  const { of } = start();
  await of('v1');
  await of('v2');
  expect(await of('v1', 'cities', ['15'])).toBe('15');
  expect(await of('v1', 'cities', ['29'])).toBe('30');
});
