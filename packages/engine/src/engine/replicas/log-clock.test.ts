import { expect, it } from 'vitest';

import { NUMBERS } from '../../../test/number-positions.ts';
import type { LogState } from '../../sources/log-position.ts';
import { LogClock, LogSampler } from './log-clock.ts';
import { QueryFailedError, SettingsError } from '../../errors.ts';

function primaryAt(position: number, flushed?: LogState['flushed']): LogState {
  const text = String(position);
  return { server: 'one', log: '', isReplica: false, applied: text, seen: text, flushed };
}

it('a server that has come as far as the primary was lacks nothing of that moment', () => {
  const clock = new LogClock(NUMBERS);
  [10, 20, 20, 30].forEach((position, at) => clock.note({ state: primaryAt(position), at }));
  expect(['9', '10', '19', '20', '25', '30', '99'].map((one) => clock.reachedAt(one))).toEqual([
    -Infinity,
    0,
    0,
    2,
    2,
    3,
    3,
  ]);
});

it('a server that has all that is on disk lacks nothing of some time before', () => {
  const clock = new LogClock(NUMBERS);
  clock.note({ state: primaryAt(10), at: 1000 });
  clock.note({ state: primaryAt(20, { position: '15', withinMs: 600 }), at: 2000 });
  expect(clock.reachedAt('14')).toBe(1000);
  expect(clock.reachedAt('15')).toBe(1400);
  expect(clock.reachedAt('20')).toBe(2000);
});

it('however many samples there are, old ones are still known, if less exactly', () => {
  const clock = new LogClock(NUMBERS);
  for (let at = 0; at < 5000; at++) clock.note({ state: primaryAt(at), at });
  expect(clock.reachedAt('4999')).toBe(4999);
  const reached = clock.reachedAt('4000');
  expect(reached).toBeLessThanOrEqual(4000);
  expect(reached).toBeGreaterThan(3000);
});

function samplerOf(error: Error): LogSampler {
  return new LogSampler({
    async state() {
      throw error;
    },
  });
}

it('a server that takes long to say where it is ends no query by a time limit', async () => {
  const late = samplerOf(new QueryFailedError('query_timeout', 'It took longer than 1000 ms.'));
  await expect(late.sample()).rejects.toMatchObject({ code: 'database_unavailable' });
});

it('a server that cannot say where it is says why', async () => {
  const refusal = new SettingsError('it leads to a proxy');
  await expect(samplerOf(refusal).sample()).rejects.toBe(refusal);
});
