import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { cityQuery, send, temporaryDatabase } from '../helper.ts';
import { serviceHere } from '../service-here.ts';

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

it('a service takes the tokens of the issuer in its settings, and shows each its own rows', async () => {
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
  const { app, lines } = await serviceHere({ flags: { config } });
  const ask = async (bearer: string): Promise<{ status: number; body: unknown }> => {
    const reply = await send(app, cityQuery(1, 10, ['name']), { token: bearer });
    return { status: reply.statusCode, body: reply.json() };
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
  expect(JSON.stringify(lines)).toContain('a token was refused: ');
  expect(JSON.stringify(lines)).not.toContain(changed.slice(0, 30));
});

it.each(['settings', 'operator'] as const)(
  'the order of roles that a reload of the %s changes holds for tokens from then on',
  async (cause) => {
    const { directory, file } = temporaryDatabase();
    const { port } = issuer.address() as AddressInfo;
    const config = join(directory, 'jwt.yaml');
    const write = (roles: string): void =>
      writeFileSync(
        config,
        [
          `database: sqlite:${file}`,
          'expose: all',
          'roles:',
          '  boss: { models: all }',
          '  clerk: { models: { cities: { attributes: [id] } } }',
          'jwt:',
          `  - issuer: ${ISSUER}`,
          '    audience: dynamic-query',
          `    jwks_url: http://127.0.0.1:${port}/certs`,
          `    roles: { ${roles} }`,
        ].join('\n'),
      );
    write('bosses: boss, clerks: clerk');
    const { app, reload } = await serviceHere({ flags: { config } });
    const bearer = await token({ roles: ['clerks', 'bosses'] });
    const ask = () => send(app, cityQuery(1, 10, ['name']), { token: bearer });
    expect((await ask()).statusCode).toBe(200);
    write('clerks: clerk, bosses: boss');
    expect(await reload(cause)).toBe(true);
    expect((await ask()).json()).toMatchObject({ code: 'unknown_attribute' });
  },
);
