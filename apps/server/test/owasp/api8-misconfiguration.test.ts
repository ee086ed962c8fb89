import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';

import { listen, MODELS_PATH, QUERY_PATH } from '../helper.ts';
import { rawExchange } from '../raw-http.ts';
import { openShop, SHOP, SHOP_ROLES } from './shop.ts';

// secrecy.test.ts holds files that others can read, and short tokens; cors.test.ts origins that are
// named.

const BROKEN = 'create view broken as select 1 as id, abs(-9223372036854775807 - 1) as boom;';
const shop = await openShop({
  sql: SHOP + BROKEN,
  settings: `${SHOP_ROLES}models: { broken: { key: [id] } }\n`,
});
const port = await listen(shop.app);

/** Traces of the inside, and of what it is made of. */
const INSIDE =
  /\n\s+at |node_modules|node:|\bselect\b|\bsqlite|integer overflow|FST_|ERR_|errcode|fastify|\bexpress\b|\/tmp\/|\.db\b|\.ts\b/i;

function expectPlain({ statusCode, headers, body }: LightMyRequestResponse): void {
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.any(String),
  });
  const names = Object.keys(headers);
  expect(
    names.filter((name) =>
      /^(server|x-powered-by|via|x-aspnet.*|access-control-.*|set-cookie)$/.test(name),
    ),
  ).toEqual([]);
  expect(body).not.toMatch(INSIDE);
  expect(JSON.stringify(headers)).not.toMatch(INSIDE);
  const isProblem =
    String(headers['content-type']).startsWith('application/problem+json') &&
    headers['cache-control'] === 'no-store';
  expect(isProblem).toBe(statusCode >= 400);
}

describe('every reply', () => {
  const headers = {
    authorization: 'Bearer audit-token',
    'content-type': 'application/json',
    origin: 'https://evil.example',
  };
  const post = (payload: string, more = {}) =>
    ({ method: 'POST', url: QUERY_PATH, headers: { ...headers, ...more }, payload }) as const;
  const page = { page: 1, size: 1 };

  it.each([
    [401, post('{}', { authorization: 'Bearer no' })],
    [401, { url: MODELS_PATH }],
    [200, { url: '/livez', headers }],
    [200, { url: '/readyz', headers }],
    [404, { url: '/nowhere', headers }],
    [404, { url: '/%2e%2e/etc/passwd', headers }],
    [400, { url: '/%zz', headers }],
    [404, { url: '/problems/nowhere', headers }],
    [
      405,
      {
        method: 'OPTIONS',
        url: QUERY_PATH,
        headers: { ...headers, 'access-control-request-method': 'POST' },
      },
    ],
    [405, { method: 'TRACE', url: QUERY_PATH, headers }],
    [405, { method: 'DELETE', url: QUERY_PATH, headers }],
  ] as const)('is plain, and open to no other origin (%i, %j)', async (status, request) => {
    const reply = await shop.app.inject({ ...request } as InjectOptions);
    expect(reply.statusCode).toBe(status);
    expectPlain(reply);
  });

  it.each([
    [200, { query_model: 'orders', query_attributes: ['id'], page }],
    [422, { query_model: 'broken', query_attributes: ['boom'], page }],
    [
      400,
      {
        query_model: 'orders',
        query_attributes: ['id'],
        page,
        query_filter: { attribute: 'id', op: 'eq', value: "'" },
      },
    ],
    [400, { query_model: "orders'--", query_attributes: ['id"'], page: { page: 'x', size: -1 } }],
    [400, '{'],
    [400, ''],
  ] as const)('to a query is plain (%i, %j)', async (status, body) => {
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    const reply = await shop.app.inject(post(payload, { authorization: 'Bearer audit-token' }));
    expect(reply.statusCode).toBe(status);
    expectPlain(reply);
  });

  it.each([
    'NONSENSE\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET / HTTP/1.1\r\nConnection: close\r\nHost: a\r\nHost: b\r\n\r\n',
  ])('is plain even to what is no request: %j', async (bytes) => {
    const text = await rawExchange(port, bytes);
    expect(text).toMatch(/^HTTP\/1\.1 [45]\d\d /);
    expect(text.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(text).not.toMatch(/^(server|x-powered-by|access-control-[^:]*):/im);
    expect(text).not.toMatch(INSIDE);
  });
});
