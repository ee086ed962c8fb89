import type { LogFn } from 'pino';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import { RefusalLog } from './refusals.ts';

const MINUTE = 60_000;
const ISSUER = 'https://issuer.example';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function startLog() {
  const info = vi.fn<LogFn>();
  const log = new RefusalLog({ info });
  onTestFinished(() => log.close());
  const times = (count: number): void => {
    for (let refused = 0; refused < count; refused++)
      log.add({ reason: 'audience', issuer: ISSUER });
  };
  const message = () => info.mock.calls[0]?.[1];
  return { log, times, message, lines: () => info.mock.calls.map(([facts]) => facts) };
}

it('the first refusal of a reason is logged at once, the others of its minute in one line', () => {
  const { times, lines, message } = startLog();
  times(1000);
  expect(message()).toBe('a token was refused: its audience is not that of the settings');
  expect(lines()).toEqual([{ reason: 'audience', issuer: ISSUER }]);
  vi.advanceTimersByTime(MINUTE);
  times(5);
  expect(lines().slice(1)).toEqual([{ reason: 'audience', issuer: ISSUER, suppressed: 998 }]);
  vi.advanceTimersByTime(MINUTE);
  expect(lines().slice(2)).toEqual([{ reason: 'audience', issuer: ISSUER, suppressed: 4 }]);
});

it('a refusal after a minute without any is logged at once again', () => {
  const { times, lines } = startLog();
  times(1);
  vi.advanceTimersByTime(MINUTE);
  expect(lines()).toHaveLength(1);
  times(1);
  expect(lines()).toHaveLength(2);
});

it('a reason that many tokens have hides no other reason, and no other issuer', () => {
  const { log, times, lines } = startLog();
  times(1000);
  log.add({ reason: 'expired', issuer: ISSUER });
  log.add({ reason: 'audience', issuer: 'https://other.example' });
  expect(lines()).toHaveLength(3);
});

it('nothing is logged after the end', () => {
  const { log, times, lines } = startLog();
  times(1000);
  log.close();
  vi.advanceTimersByTime(MINUTE);
  expect(lines()).toHaveLength(1);
});
