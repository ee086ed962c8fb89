import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { cityQuery, QUERY_PATH, sharedService, TOKEN } from './helper.ts';
import { readProblem } from './problem.ts';

const service = await sharedService();

function ask(authorization: string | undefined, payload = JSON.stringify(cityQuery(1, 1))) {
  const headers = {
    'content-type': 'application/json',
    ...(authorization === undefined ? {} : { authorization }),
  };
  return service.app.inject({ method: 'POST', url: QUERY_PATH, headers, payload });
}

describe('a token', () => {
  it.each([
    `Bearer ${TOKEN}`,
    `bearer ${TOKEN}`,
    `BEARER ${TOKEN}`,
    `bEaReR ${TOKEN}`,
    `Bearer  ${TOKEN}`,
    `Bearer ${TOKEN} `,
  ])('is taken as %j', async (authorization) => {
    expect((await ask(authorization)).statusCode).toBe(200);
  });

  const malformed = [
    '',
    'Bearer',
    'Bearer ',
    TOKEN,
    `Bearer${TOKEN}`,
    `Bearer\t${TOKEN}`,
    `Bearer: ${TOKEN}`,
    `Bearer "${TOKEN}"`,
    `Bearer ${TOKEN},`,
    `Bearer ${TOKEN} x`,
    `Bearer ${TOKEN}=`,
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Bearer ${TOKEN}\u00a0`,
    'Bearer töken',
    'Bearer __proto__',
    `BearerBearer ${TOKEN}`,
    `Bearer ${createHash('sha256').update(TOKEN).digest('hex')}`,
    `Bearer ${'='.repeat(8e3)}`,
  ];
  it.each(malformed)('is refused as %j', async (authorization) => {
    const reply = await ask(authorization);
    expect(reply).toBeProblem('unauthenticated');
    expect(reply.headers['www-authenticate']).toBe(
      'Bearer realm="dynamic-query", error="invalid_token"',
    );
  });

  it.each([TOKEN, `Basic ${TOKEN}`, 'dq_wrong', 'Bearer', `Bearer${TOKEN}`])(
    'without the word Bearer and a token behind it is answered with how to write it: %j',
    async (authorization) => {
      const { detail } = readProblem(await ask(authorization), 'unauthenticated');
      expect(detail).toBe(
        'The header Authorization has no bearer token. Write it as `Authorization: Bearer <token>`.',
      );
    },
  );

  it('that is missing earns a challenge without an error (RFC 6750 §3.1)', async () => {
    const reply = await ask(undefined);
    expect(reply).toBeProblem('unauthenticated');
    expect(reply.headers['www-authenticate']).toBe('Bearer realm="dynamic-query"');
  });
});

describe('without a valid token the body does not matter', () => {
  it.each(['', '{', '\ufeff{}', 'x'.repeat(1024 * 1024), '['.repeat(60_000)])(
    '%#',
    async (payload) => {
      expect(await ask('Bearer wrong', payload)).toBeProblem('unauthenticated');
      expect(await ask(undefined, payload)).toBeProblem('unauthenticated');
    },
  );

  it.each(['text/plain', '', 'application/json; charset=utf-16'])(
    'nor its content type %j',
    async (type) => {
      const headers = {
        'content-type': type,
        authorization: 'Bearer wrong',
        'content-encoding': 'gzip',
        accept: 'text/html',
      };
      expect(
        await service.app.inject({ method: 'POST', url: QUERY_PATH, headers, payload: '{' }),
      ).toBeProblem('unauthenticated');
    },
  );
});
