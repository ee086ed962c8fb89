import { createHash } from 'node:crypto';

import { expect, it } from 'vitest';

import { INVALID_TOKENS, RECORDS, REQUESTS } from './policies.ts';
import type { Consumption } from './rate-limit-state.ts';
import { readReply, SCRIPT, SCRIPT_SHA1, scriptArguments, scriptKeys } from './redis-script.ts';

const CONSUMPTION: Consumption = {
  policy: REQUESTS,
  owner: 'ann',
  limit: 10,
  amount: 1,
  unconditional: false,
};

const keyOf = (owner: string): string | undefined => scriptKeys([{ ...CONSUMPTION, owner }])[0];

it('names the script by its SHA-1, as EVALSHA asks for it', () => {
  expect(SCRIPT_SHA1).toBe(createHash('sha1').update(SCRIPT).digest('hex'));
  expect(SCRIPT_SHA1).toMatch(/^[0-9a-f]{40}$/);
});

it('keeps the keys of one owner on one node, each policy with its own', () => {
  const keys = scriptKeys(
    [REQUESTS, INVALID_TOKENS, RECORDS].map((policy) => ({ ...CONSUMPTION, policy })),
  );

  expect(keys).toEqual([
    'dynamic-query:{ann}:requests-per-minute',
    'dynamic-query:{ann}:failures-per-minute',
    'dynamic-query:{ann}:rows-per-day',
  ]);
});

it.each(['a', 'Ann_1', 'a.b:c-d', '2001:db8:1:2::', 'x'.repeat(64)])(
  'names the owner %s in its key as it is',
  (owner) => {
    expect(keyOf(owner)).toBe(`dynamic-query:{${owner}}:requests-per-minute`);
  },
);

it.each(['', 'a b', ' a', 'a\n', '}', 'ü', '["issuer","name"]', 'x'.repeat(65)])(
  'names the owner %j in its key by its SHA-256',
  (owner) => {
    const sha256 = createHash('sha256').update(owner).digest('hex');

    expect(keyOf(owner)).toBe(`dynamic-query:{sha256-${sha256}}:requests-per-minute`);
  },
);

it('hands the script five arguments for each consumption, in the order that it unpacks', () => {
  const records = { ...CONSUMPTION, policy: RECORDS, limit: 500, amount: 20, unconditional: true };

  expect(scriptArguments([CONSUMPTION])).toEqual([10, 1, 0, 1000, 60]);
  expect(scriptArguments([records, CONSUMPTION])).toEqual(
    [500, 20, 1, 900_000, 96].concat(scriptArguments([CONSUMPTION]).map(Number)),
  );
});

it('reads one usage for each consumption', () => {
  const reply = [
    [3, 1, 900],
    [10, 0, 60_000],
  ];

  expect(readReply(reply)).toEqual([
    { consumed: 3, allowed: true, resetMs: 900 },
    { consumed: 10, allowed: false, resetMs: 60_000 },
  ]);
});

it.each([null, 'OK', [[1, 1]], [['1', 1, 1]], [1, 1, 1]])('throws on the reply %j', (reply) => {
  expect(() => readReply(reply)).toThrow(/expected/);
});
