import { expect, it, vi } from 'vitest';

import { Silences } from './silences.ts';

it('a worker that falls silent is counted and logged, and killed once it is lost', () => {
  const lines: unknown[] = [];
  const write = (noted: unknown, line: unknown): void => void lines.push([noted, line]);
  const log = { info: write, warn: write, error: write };
  const [answered, kill] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const silences = new Silences(log as never, answered);
  const { onSilent, onAnswer, onLost } = silences.of({ number: 2, pid: 7, kill });
  const noted = { worker: 2, pid: 7 };

  onSilent();
  expect([silences.count, answered.mock.calls.length]).toEqual([1, 0]);
  onAnswer();
  expect(answered.mock.calls.length).toBe(1);
  onSilent();
  expect([silences.count, kill.mock.calls.length]).toEqual([2, 0]);
  onLost();
  expect(kill.mock.calls.length).toBe(1);

  expect(lines).toEqual([
    [noted, 'a worker does not answer; it gets no connections'],
    [noted, 'a worker answers again'],
    [noted, 'a worker does not answer; it gets no connections'],
    [noted, 'a worker that does not answer is killed'],
  ]);
});
