import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { temporaryDatabase, until } from '../helper.ts';
import { startServer } from '../server-process.ts';

const ISSUER = 'https://id.example.com/realms/shop';

const { privateKey, publicKey } = await generateKeyPair('ES256');
const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }] };
const issuer = createServer((_request, response) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(keys)),
);

beforeAll(() => new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve)));
afterAll(() => issuer.close());

function token(claims: Record<string, unknown>): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'at+jwt' })
    .setIssuer(ISSUER)
    .setAudience('dynamic-query')
    .setSubject('alice')
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(privateKey);
}

it('a started server takes the tokens of the issuer in its settings, and shows each its own rows', async () => {
  const { directory, file } = temporaryDatabase();
  const { port } = issuer.address() as AddressInfo;
  const config = join(directory, 'jwt.yaml');
  writeFileSync(
    config,
    [
      `database: sqlite:${file}`,
      'expose: all',
      'roles:',
      '  clerk: { models: { cities: { rows: { attribute: name, op: eq, value: $claims.city } } } }',
      'jwt:',
      `  - issuer: ${ISSUER}`,
      '    audience: dynamic-query',
      `    jwks_url: http://127.0.0.1:${port}/certs`,
      '    algorithms: [ES256]',
      '    role_claim: realm_access.roles',
      '    roles: { shop-clerk: clerk }',
    ].join('\n'),
  );
  const { origin, output } = await startServer(['--config', config]);
  const ask = async (bearer: string): Promise<{ status: number; body: unknown }> => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
    const body = JSON.stringify({
      query_model: 'cities',
      query_attributes: ['name'],
      page: { page: 1, size: 10 },
    });
    const reply = await fetch(`${origin}/api/v1/dynamic/query`, { method: 'POST', headers, body });
    return { status: reply.status, body: await reply.json() };
  };
  const clerk = { realm_access: { roles: ['other', 'shop-clerk'] } };
  const mine = await ask(await token({ ...clerk, city: 'city 7' }));
  expect(mine).toMatchObject({
    status: 200,
    body: { result: [{ name: 'city 7' }], page: { total: '1' } },
  });
  expect(await ask(await token(clerk))).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  const changed = `${await token({ ...clerk, city: 'city 7' })}x`;
  expect((await ask(changed)).status).toBe(401);
  await until(() => output().includes('a token was refused'));
  expect(output()).not.toContain(changed.slice(0, 30));
});
