import { describe, expect, it } from 'vitest';

import type { TokenSource } from '../options/client-options.ts';
import { bearerToken } from './bearer-token.ts';

it('returns a fixed token each time', async () => {
  const token = bearerToken('abc.def-~+/=');
  expect([await token.current(), await token.current()]).toEqual(['abc.def-~+/=', 'abc.def-~+/=']);
  expect(token.renew).toBeNull();
});

/**
 * A function that keeps its token, as a caller would write it, and how often it was asked to make a
 * new one.
 */
function keeper(): { source: TokenSource; renewals: () => number } {
  let renewals = 0;
  const source: TokenSource = async ({ refresh }) => `token-${refresh ? ++renewals : renewals}`;
  return { source, renewals: () => renewals };
}

describe('a token that was refused', () => {
  it('is renewed once for all requests that were refused, at the same time or later', async () => {
    const { source, renewals } = keeper();
    const { current, renew } = bearerToken(source);
    const refused = await current();
    expect(await Promise.all([renew?.(refused), renew?.(refused), renew?.(refused)])).toEqual([
      'token-1',
      'token-1',
      'token-1',
    ]);
    expect(await renew?.(refused)).toBe('token-1');
    expect(renewals()).toBe(1);
  });

  it('is renewed again when the new one is refused too', async () => {
    const { source, renewals } = keeper();
    const { renew } = bearerToken(source);
    expect(await renew?.('token-0')).toBe('token-1');
    expect(await renew?.('token-1')).toBe('token-2');
    expect(renewals()).toBe(2);
  });

  it('is renewed after a renewal that failed', async () => {
    let fails = true;
    const { renew } = bearerToken(async ({ refresh }) => {
      if (!refresh) return 'old';
      if (fails) throw new Error('the login is down');
      return 'new';
    });
    await expect(renew?.('old')).rejects.toThrow('the login is down');
    fails = false;
    expect(await renew?.('old')).toBe('new');
  });
});

it.each(['', 'Bearer abc', 'line\nbreak', 'tokén', ' abc'])(
  'refuses %j at once without showing it',
  (source) => {
    const message =
      'token: expected the access token without "Bearer ", in visible ASCII without spaces, or ' +
      `a function that returns it; got a string of ${source.length} characters that is not`;
    expect(() => bearerToken(source)).toThrow(new TypeError(message));
  },
);

it('refuses what is neither a string nor a function', () => {
  // @ts-expect-error -- process.env gives undefined for a variable that is not set
  expect(() => bearerToken()).toThrow('got undefined');
});
