import { setImmediate as nextLoop } from 'node:timers/promises';

import { expect, it, vi } from 'vitest';

import { Turns } from './turns.ts';

/** Turns of requests that take so many milliseconds each, and the order in which they began. */
function startTurns(milliseconds: number) {
  const begun: string[] = [];
  let now = 0;
  const turns = new Turns(() => now);
  const take = (caller: string): (() => void) | undefined =>
    turns.take(caller, () => {
      begun.push(caller);
      now += milliseconds;
    });
  const pass = (passed: number): void => {
    now += passed;
  };
  return { take, begun, pass };
}

/** The most requests that began between two times at which the event loop read on. */
async function mostAtOnce(begun: readonly string[], count: number): Promise<number> {
  let most = 0;
  while (begun.length < count) {
    const before = begun.length;
    await nextLoop();
    most = Math.max(most, begun.length - before);
  }
  return most;
}

it('requests begin at once while there is little to do', () => {
  const { take, begun } = startTurns(0.1);
  for (let request = 0; request < 4; request++) expect(take('a')).toBeUndefined();
  expect(begun).toHaveLength(4);
});

it('a caller who comes last begins before the requests that wait of another one', async () => {
  const { take, begun } = startTurns(5);
  for (let request = 0; request < 8; request++) take('many');
  take('one');
  await mostAtOnce(begun, 9);
  expect(begun.indexOf('one')).toBeLessThanOrEqual(2);
});

it('the event loop reads on after each short slice while several callers send', async () => {
  const { take, begun } = startTurns(0.3);
  for (let request = 0; request < 12; request++) take(request === 0 ? 'one' : 'many');
  expect(await mostAtOnce(begun, 12)).toBe(2);
});

it.each([
  ['from the start', 0],
  ['ten seconds after another one was there', 10_000],
])('a caller who is alone %s has longer slices', async (_name, passed) => {
  const { take, begun, pass } = startTurns(1);
  if (passed > 0) take('one');
  take('many');
  pass(passed);
  await nextLoop();
  begun.length = 0;
  for (let request = 0; request < 12; request++) take('many');
  expect(await mostAtOnce(begun, 12)).toBe(4);
});

it('a request whose turn is given up never begins, and the others still do', async () => {
  const { take, begun } = startTurns(5);
  take('a');
  const giveUp = take('b');
  take('c');
  giveUp?.();
  await mostAtOnce(begun, 2);
  await nextLoop();
  expect(begun).toEqual(['a', 'c']);
});

it('a request that comes while others wait begins after them, though its slice has time left', async () => {
  const turns = new Turns(() => now);
  const begun: string[] = [];
  let now = 0;
  const take = (caller: string, after = () => undefined as unknown) =>
    turns.take(caller, () => {
      begun.push(caller);
      after();
    });
  take('a', () => (now = 5));
  take('b', () => take('d'));
  take('c');
  await mostAtOnce(begun, 4);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

it('at most sixteen events wait to begin requests, however many there are', async () => {
  const schedule = vi.spyOn(globalThis, 'setImmediate');
  const { take, begun } = startTurns(5);
  for (let request = 0; request < 100; request++) take('a');
  // One ends the slice of the first request.
  expect(schedule).toHaveBeenCalledTimes(17);
  schedule.mockRestore();
  await mostAtOnce(begun, 100);
  expect(begun).toHaveLength(100);
});

it('a request that takes the time of a slice makes the next one wait, by the clock of the process', () => {
  const turns = new Turns();
  turns.take('a', () => {
    const until = performance.now() + 5;
    while (performance.now() < until);
  });
  expect(turns.take('a', () => undefined)).toBeTypeOf('function');
});
