import { describe, expect, it } from 'vitest';

import { MODELS_PATH, QUERY_PATH } from '../helper.ts';
import { lasting, openShop, orderQuery, sha256, SHOP_ROLES } from './shop.ts';

// authentication.test.ts looks at the form of tokens and the order of the checks, jwt/mutations.test.ts at JWTs,
// limits/http.test.ts at IPv6.

const LOOSE = 'rate_limits: { failures_per_minute: unlimited }\n';
const shop = await openShop({ settings: SHOP_ROLES + LOOSE });
const strict = await openShop({
  over: shop,
  settings: `${SHOP_ROLES}rate_limits: { failures_per_minute: 3 }\n`,
});

const GOOD = 'audit-token';
const json = { 'content-type': 'application/json' };

describe('a token in another place than the header', () => {
  it.each([
    `?access_token=${GOOD}`,
    `?token=${GOOD}`,
    `?authorization=Bearer%20${GOOD}`,
    `?api_key=${GOOD}`,
  ])('is refused in the address: %s', async (query) => {
    const replies = [
      await shop.app.inject(MODELS_PATH + query),
      await shop.app.inject({
        method: 'POST',
        url: QUERY_PATH + query,
        headers: json,
        payload: JSON.stringify(orderQuery()),
      }),
    ];
    for (const reply of replies) {
      expect(reply).toBeProblem('unauthenticated');
      expect(reply.headers['www-authenticate']).toBe('Bearer realm="dynamic-query"');
    }
  });

  it.each([
    'x-api-key',
    'x-authorization',
    'proxy-authorization',
    'x-access-token',
    'x-forwarded-user',
  ])('is refused in the header %s', async (name) => {
    const headers = { [name]: `Bearer ${GOOD}` };
    expect(await shop.app.inject({ url: MODELS_PATH, headers })).toBeProblem('unauthenticated');
  });

  it('is refused in a cookie and in the body', async () => {
    const headers = {
      ...json,
      cookie: `access_token=${GOOD}; token=${GOOD}; authorization=Bearer ${GOOD}`,
    };
    const payload = JSON.stringify(orderQuery({ access_token: GOOD }));
    expect(
      await shop.app.inject({ method: 'POST', url: QUERY_PATH, headers, payload }),
    ).toBeProblem('unauthenticated');
  });
});

it('the reply is the same, byte for byte, to every token that is not valid', async () => {
  const [first, ...others] = await Promise.all(
    [
      'never-given',
      'old-token',
      'audit-toke',
      'a.b.c',
      `${btoa('{"alg":"none"}')}.e30.`,
      sha256(GOOD),
      '~',
      '"',
    ].map(async (token) => lasting(await shop.ask(token))),
  );
  expect(first).toMatchObject({
    statusCode: 401,
    headers: { 'www-authenticate': 'Bearer realm="dynamic-query", error="invalid_token"' },
  });
  for (const other of others) expect(other).toEqual(first);
});

const guess = (remoteAddress: string, token: string, headers = {}) =>
  strict.app.inject({
    url: MODELS_PATH,
    remoteAddress,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });

describe('guessing', () => {
  it('is stopped although the address claims to speak for others', async () => {
    const statuses = [];
    for (let tries = 0; tries < 5; tries++) {
      const headers = {
        'x-forwarded-for': `198.51.100.${tries}`,
        forwarded: `for=198.51.100.${tries}`,
        'x-real-ip': '::1',
      };
      statuses.push((await guess('192.0.2.3', `guess-${tries}`, headers)).statusCode);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });
});
