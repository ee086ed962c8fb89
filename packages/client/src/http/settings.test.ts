import { expect, it } from 'vitest';

import { readSettings } from './settings.ts';

const REQUIRED = { baseUrl: 'https://data.example.com', token: 'abc' };

it('completes the options with their defaults', () => {
  expect(readSettings(REQUIRED)).toMatchObject({
    timeoutMs: 30_000,
    deadlineMs: 60_000,
    retries: 2,
    maxRetryAfterMs: 10_000,
    maxReplyBytes: 67_108_864,
    int64: 'string',
  });
});

it.each([
  ['timeoutMs', 0, 'timeoutMs: expected a whole number from 1 to 2147483647; got 0'],
  ['timeoutMs', Infinity, 'timeoutMs: expected a whole number from 1 to 2147483647; got Infinity'],
  ['deadlineMs', 1.5, 'deadlineMs: expected a whole number from 1 to 2147483647; got 1.5'],
  ['retries', 11, 'retries: expected a whole number from 0 to 10; got 11'],
  ['retries', '2', 'retries: expected a whole number from 0 to 10; got "2"'],
  ['maxRetryAfterMs', -1, 'maxRetryAfterMs: expected a whole number from 0 to 2147483647; got -1'],
  ['maxReplyBytes', 0, 'maxReplyBytes: expected a whole number from 1 to 9007199254740991; got 0'],
])('refuses %s of %j', (name, value, message) => {
  expect(() => readSettings({ ...REQUIRED, [name]: value })).toThrow(new RangeError(message));
});

it('refuses an int64 that is neither form', () => {
  // @ts-expect-error -- an untyped caller may pass anything
  expect(() => readSettings({ ...REQUIRED, int64: 'number' })).toThrow(
    'int64: expected "string" or "bigint"; got "number"',
  );
});
