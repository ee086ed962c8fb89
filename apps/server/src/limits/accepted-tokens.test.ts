import { expect, it } from 'vitest';

import { AcceptedTokens } from './accepted-tokens.ts';

const HOUR = 60 * 60_000;

it('remembers a token of an address for an hour after it was last accepted', () => {
  let now = 0;
  const accepted = new AcceptedTokens(() => now);
  accepted.add('192.0.2.1', 'a');
  now = HOUR - 1;
  expect([
    accepted.has('192.0.2.1', 'a'),
    accepted.has('192.0.2.1', 'b'),
    accepted.has('192.0.2.2', 'a'),
  ]).toEqual([true, false, false]);
  now = HOUR;
  expect(accepted.has('192.0.2.1', 'a')).toBe(false);
});

it('remembers for an hour from whenever its clock began', () => {
  let now = 5 * HOUR;
  const accepted = new AcceptedTokens(() => now);
  accepted.add('192.0.2.1', 'a');
  now = 6 * HOUR - 1;
  expect(accepted.has('192.0.2.1', 'a')).toBe(true);
  now = 6 * HOUR;
  expect(accepted.has('192.0.2.1', 'a')).toBe(false);
});

it('remembers a token for an hour from its last request, of many in one second', () => {
  let now = 0;
  const accepted = new AcceptedTokens(() => now);
  for (now = 0; now <= 1000; now += 100) accepted.add('192.0.2.1', 'a');
  now = HOUR + 999;
  expect(accepted.has('192.0.2.1', 'a')).toBe(true);
  now = HOUR + 1000;
  expect(accepted.has('192.0.2.1', 'a')).toBe(false);
});

it('remembers 10,000 tokens at most', () => {
  const accepted = new AcceptedTokens(() => 0);
  for (let count = 0; count <= 10_000; count++) accepted.add('192.0.2.1', String(count));
  expect([
    accepted.has('192.0.2.1', '0'),
    accepted.has('192.0.2.1', '1'),
    accepted.has('192.0.2.1', '10000'),
  ]).toEqual([false, true, true]);
});

it('forgets a token that is no longer accepted', () => {
  const accepted = new AcceptedTokens(() => 0);
  accepted.add('2001:db8::1', 'a');
  accepted.remove('2001:db8::2', 'a');
  expect(accepted.has('2001:db8::1', 'a')).toBe(false);
  accepted.add('2001:db8::1', 'a');
  expect(accepted.has('2001:db8::1', 'a')).toBe(true);
});
