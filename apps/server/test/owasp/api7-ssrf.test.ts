import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, describe, expect, it } from 'vitest';

import { MODELS_PATH } from '../helper.ts';
import { makeKey, publicJwk, signToken } from '../jwt/tokens.ts';
import { openShop, SHOP_ROLES } from './shop.ts';

// jwt/mutations.test.ts holds the verifier alone against many more tokens; bad-key-servers.test.ts
// refuses redirects.

const KEY = makeKey('one');
const EVIL = makeKey('evil');
const ISSUER = 'https://id.example';

/** Serves keys, and counts who comes: the issuer, and a listener to which nobody may ever come. */
async function serveKeys(key: typeof KEY) {
  const paths: string[] = [];
  const server: Server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.setHeader('connection', 'close').end(JSON.stringify({ keys: [publicJwk(key)] }));
  });
  let connections = 0;
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => server.close());
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    connections: () => connections,
  };
}

const issuer = await serveKeys(KEY);
const listener = await serveKeys(EVIL);
const shop = await openShop({
  settings: `${SHOP_ROLES}
jwt:
  - { issuer: '${ISSUER}', audience: shop, jwks_url: '${issuer.origin}/keys', algorithms: [ES256], roles: { boss: auditor } }
rate_limits: { failures_per_minute: unlimited }
`,
});

const now = Math.floor(Date.now() / 1000);
const CLAIMS = { iss: ISSUER, aud: 'shop', sub: 'app', roles: ['boss'], exp: now + 600 };
const HEADER = { alg: 'ES256', kid: 'one' };
const url = listener.origin;

describe('a token that names where its key is', () => {
  it.each([
    ['jku', { ...HEADER, kid: 'evil', jku: `${url}/jwks` }, {}],
    ['jku with the name of a known key', { ...HEADER, jku: `${url}/jwks` }, {}],
    ['jku as a list', { ...HEADER, kid: 'evil', jku: [`${url}/jwks`] }, {}],
    ['x5u', { ...HEADER, kid: 'evil', x5u: `${url}/cert` }, {}],
    ['kid, a URL', { ...HEADER, kid: `${url}/jwks` }, {}],
    ['kid, a path', { ...HEADER, kid: '../../../../../../dev/null' }, {}],
    ['kid, SQL', { ...HEADER, kid: "x' union select 'secret' --" }, {}],
    ['no kid', { alg: 'ES256', jku: `${url}/jwks` }, {}],
    ['jwk', { ...HEADER, kid: 'evil', jwk: publicJwk(EVIL) }, {}],
    ['jwk and crit', { ...HEADER, jwk: publicJwk(EVIL), crit: ['jwk'] }, {}],
    ['iss', { ...HEADER, kid: 'evil' }, { iss: url }],
    ['iss, near ours', HEADER, { iss: `${ISSUER}@${url.slice(7)}` }],
    ['iss, a list', HEADER, { iss: [ISSUER, url] }],
    ['jwks_uri', HEADER, { jwks_uri: `${url}/jwks`, jku: `${url}/jwks` }],
    [
      'distributed claims',
      HEADER,
      { _claim_sources: { a: { endpoint: url } }, _claim_names: { roles: 'a' } },
    ],
  ])('by %s is refused, and nobody goes there', async (_how, header, claims) => {
    const token = signToken(EVIL, header, { ...CLAIMS, ...claims });
    expect(await shop.ask(token)).toBeProblem('unauthenticated');
    expect(listener.connections()).toBe(0);
  });

  it('and is signed by the issuer all the same is taken by its signature alone', async () => {
    const token = signToken(KEY, { ...HEADER, jku: `${url}/jwks`, x5u: `${url}/cert` }, CLAIMS);
    expect((await shop.ask(token)).statusCode).toBe(200);
    expect(listener.connections()).toBe(0);
    expect(new Set(issuer.paths)).toEqual(new Set(['/keys']));
  });
});

describe('a request that names an address', () => {
  const texts = [
    url,
    `file:///etc/passwd`,
    `'; attach database '${url}' as x; --`,
    `' || load_extension('${url}') || '`,
    `' || readfile('/etc/passwd') || '`,
    `file:data.db?mode=rwc&vfs=${url}`,
  ];

  it.each(texts)('as a value, a name or a model leads nowhere: %s', async (text) => {
    const filtered = await shop.ask('audit-token', {
      query_filter: { attribute: 'customer', op: 'eq', value: text },
    });
    expect(filtered.json()).toMatchObject({ result: [], page: { total: '0' } });
    expect(await shop.ask('audit-token', { query_model: text })).toBeProblem('unknown_model');
    expect(await shop.ask('audit-token', { query_attributes: [text] })).toBeProblem(
      'unknown_attribute',
    );
    expect(await shop.ask('audit-token', { query_sort: [{ attribute: text }] })).toBeProblem(
      'unknown_attribute',
    );
    expect(await shop.get('audit-token', `${MODELS_PATH}/${encodeURIComponent(text)}`)).toBeProblem(
      'not_found',
    );
    expect(listener.connections()).toBe(0);
  });

  it('in its headers leads nowhere', async () => {
    const host = url.slice(7);
    const headers = {
      host,
      origin: url,
      referer: url,
      'x-forwarded-host': host,
      forwarded: `host=${host}`,
      'x-callback': url,
    };
    const reply = await shop.ask('audit-token', {}, headers);
    expect(reply.statusCode).toBe(200);
    expect(JSON.stringify(reply.headers) + reply.body).not.toContain(host);
    expect(listener.connections()).toBe(0);
  });
});
