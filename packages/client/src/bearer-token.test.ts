import { expect, it } from 'vitest';

import { bearerToken } from './bearer-token.ts';

it('gives a fixed token each time', async () => {
  const token = bearerToken('abc.def-~+/=');
  expect([await token(), await token()]).toEqual(['abc.def-~+/=', 'abc.def-~+/=']);
});

it('asks a function each time', async () => {
  let count = 0;
  const token = bearerToken(() => `token-${++count}`);
  expect([await token(), await token()]).toEqual(['token-1', 'token-2']);
});

it.each(['', 'Bearer abc', 'line\nbreak', 'tokén', ' abc'])('refuses %j at once without showing it', (source) => {
  const message = `token: expected the access token without "Bearer ", in visible ASCII without spaces, or a function that gives it; got a string of ${source.length} characters that is not`;
  expect(() => bearerToken(source)).toThrow(new TypeError(message));
});

it('refuses what is neither a string nor a function', () => {
  // @ts-expect-error -- process.env gives undefined for a variable that is not set
  expect(() => bearerToken()).toThrow('got undefined');
});
