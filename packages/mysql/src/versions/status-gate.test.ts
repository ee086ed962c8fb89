import { beforeEach, describe, expect, it } from 'vitest';

import { StatusGate, type StatusOutcome } from './status-gate.ts';

let now: number;
let gate: StatusGate;
beforeEach(() => {
  now = 1000;
  gate = new StatusGate(() => now);
});

const outcome = (facts: Partial<StatusOutcome> = {}): StatusOutcome => ({
  length: 2000,
  milliseconds: 0.3,
  ageMs: 20,
  ...facts,
});

const note = (times: number, facts: Partial<StatusOutcome>): void => {
  for (let time = 0; time < times; time++) gate.note(outcome(facts));
};

describe('the version of a page is asked for', () => {
  it('as long as versions last', () => {
    note(100, {});
    expect(gate).toMatchObject({ isOpen: true, isWorthIt: true, isInVain: false });
  });

  it('no sooner where a new version is seen a second time before it has lasted', () => {
    note(3, { ageMs: 0 });
    note(5, { ageMs: 19 });
    expect(gate).toMatchObject({ isOpen: true, isWorthIt: false, isInVain: true });
    note(1, { ageMs: 20 });
    expect(gate).toMatchObject({ isOpen: true, isWorthIt: true, isInVain: false });
  });

  it('more and more seldom while every version is a new one, down to some 15 times a second', () => {
    note(2, { ageMs: 0 });
    expect(gate.isWorthIt).toBe(true);
    for (const pause of [1, 2, 4, 8, 16, 32, 64, 64]) {
      note(1, { ageMs: 0 });
      now += pause - 0.5;
      expect(gate).toMatchObject({ isOpen: true, isWorthIt: false, isInVain: true });
      now += 0.5;
      expect(gate.isWorthIt).toBe(true);
    }
    note(1, {});
    expect(gate).toMatchObject({ isWorthIt: true, isInVain: false });
  });

  it('after half a minute again, where the server refuses the status', () => {
    note(1, { length: undefined });
    now += 29_999;
    expect(gate).toMatchObject({ isOpen: false, isWorthIt: false });
    now += 1;
    expect(gate).toMatchObject({ isOpen: true, isWorthIt: true });
  });

  it('after half a minute again, where the status is longer than 64 kB', () => {
    note(1, { length: 65_536 });
    expect(gate.isOpen).toBe(true);
    note(1, { length: 65_537 });
    expect(gate.isOpen).toBe(false);
  });

  it('after half a minute again, where the quickest of 16 takes more than 2 ms', () => {
    note(1, { milliseconds: 2 });
    note(15, { milliseconds: 9 });
    expect(gate.isOpen).toBe(true);
    note(1, { milliseconds: 2.1 });
    expect(gate.isOpen).toBe(false);
  });
});
