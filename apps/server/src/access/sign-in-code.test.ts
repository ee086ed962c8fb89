import { expect, it } from 'vitest';

import { SignInCode } from './sign-in-code.ts';

const MINUTE = 60_000;

function atClock() {
  const clock = { now: 0 };
  return { clock, codes: new SignInCode('the token', () => clock.now) };
}

it('a code is exchanged for the token once', () => {
  const { codes } = atClock();
  expect(codes.exchange(codes.code)).toEqual({ token: 'the token' });
  expect(codes.exchange(codes.code)).toEqual({ refusal: 'used' });
});

it('a code is good for ten minutes', () => {
  const early = atClock();
  early.clock.now = 10 * MINUTE - 1;
  expect(early.codes.exchange(early.codes.code)).toEqual({ token: 'the token' });
  const late = atClock();
  late.clock.now = 10 * MINUTE;
  expect(late.codes.exchange(late.codes.code)).toEqual({ refusal: 'expired' });
});

it('another code is unknown, uses nothing up, and learns nothing of the one that is', () => {
  const { codes } = atClock();
  const other = new SignInCode('another token', () => 0);
  for (const wrong of ['', other.code, `${codes.code}x`, codes.code.slice(1)])
    expect(codes.exchange(wrong)).toEqual({ refusal: 'unknown' });
  expect(codes.exchange(codes.code)).toEqual({ token: 'the token' });
  expect(codes.exchange(other.code)).toEqual({ refusal: 'unknown' });
});
