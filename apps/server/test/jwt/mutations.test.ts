import { createServer } from 'node:net';

import { listenOnFreePort } from '@proj/test-servers';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { expect, it, onTestFinished } from 'vitest';

import { createJwtVerifier } from '../../src/access/jwt/jwt.ts';
import { startIssuer } from './issuer.ts';
import { makeKey } from './tokens.ts';
import { type Forge, MUTATIONS, withClaims, withHeader } from './mutations.ts';
import { startVerifier } from './verifier.ts';

/** What is as good as the token that it was made from. */
const HARMLESS: typeof MUTATIONS = {
  'expired 29 s ago': withClaims(({ now }) => ({ exp: now - 29 })),
  'not valid for another 29 s': withClaims(({ now }) => ({ nbf: now + 29 })),
  'issued in 29 s': withClaims(({ now }) => ({ iat: now + 29 })),
  'no time of issue': withClaims(() => ({ iat: undefined })),
  'no type': withHeader(() => ({ typ: undefined })),
  'the type JWT': withHeader(() => ({ typ: 'JWT' })),
  'a type with its prefix': withHeader(() => ({ typ: 'application/at+jwt' })),
  'no key named': withHeader(() => ({ kid: undefined })),
  'our audience among others': withClaims(({ claims }) => ({
    aud: ['https://else.example', claims['aud']],
  })),
  'one role as a text': withClaims(() => ({ roles: 'shop-reader' })),
  'a jku of the issuer, which is not looked at': withHeader(({ listener }) => ({ jku: listener })),
};

it('refuses every mutation, connects to nobody, and logs no part of a token', async () => {
  const { forge, connections, verify, lines } = await startForge();
  const made = Object.entries(MUTATIONS).map(([name, mutate]) => ({ name, token: mutate(forge) }));
  expect(made.length).toBeGreaterThan(30);
  expect(new Set([forge.token, ...made.map(({ token }) => token)]).size, 'each differs').toBe(
    made.length + 1,
  );
  const accepted = [];
  for (const { name, token } of made) if ((await verify(token)) !== undefined) accepted.push(name);
  expect(accepted).toEqual([]);
  expect(connections()).toBe(0);
  const log = lines.join('\n');
  const parts = [forge.token, ...made.map(({ token }) => token)].flatMap((token) =>
    token.split('.'),
  );
  expect(parts.filter((part) => part.length > 3 && log.includes(part))).toEqual([]);
  expect(log).not.toContain(CANARY);
  expect(log).toContain('a token was refused');
});

it('accepts what is harmless', async () => {
  const { forge, connections, verify } = await startForge();
  const refused = [];
  for (const [name, mutate] of Object.entries(HARMLESS))
    if ((await verify(mutate(forge))) === undefined) refused.push(name);
  expect(refused).toEqual([]);
  expect(connections()).toBe(0);
});

it('distinguishes a JWT from a token of another shape', () => {
  const { looksLikeJwt, verify } = createJwtVerifier([]);
  expect(['a.b.c', 'eyJ.eyJ._-'].map(looksLikeJwt)).toEqual([true, true]);
  const others = [
    '',
    'dq_abc',
    'a.b',
    'a.b.',
    '.b.c',
    'a..c',
    'a.b.c.d',
    'a.b.c=',
    'a.b.c\n',
    ' a.b.c',
    'a.b.ü',
    `a.b.${'c'.repeat(8192)}`,
  ];
  expect(others.filter(looksLikeJwt)).toEqual([]);
  return expect(verify('a.b.c')).resolves.toBeUndefined();
});

const CANARY = 'canary-b1f0a7';

async function startForge() {
  const [key, otherKey] = [makeKey(CANARY), makeKey(CANARY)];
  const [issuer, other] = [await startIssuer(key), await startIssuer(otherKey)];
  const token = await issuer.token();
  const at = Date.now();
  const { port, connections } = await startListener();
  const { verifier, lines } = startVerifier([issuer.settings, other.settings], { now: () => at });
  expect(await verifier.verify(token)).toBeDefined();
  const forge: Forge = {
    token,
    key,
    header: { ...decodeProtectedHeader(token) },
    claims: { ...decodeJwt(token), region: CANARY, jti: CANARY },
    now: Math.floor(at / 1000),
    listener: `http://127.0.0.1:${port}`,
    other: { token: await other.token(), key: otherKey, issuer: other.settings.issuer },
  };
  return { forge, connections, verify: verifier.verify, lines };
}

/** A server that counts who connects. */
async function startListener(): Promise<{ port: number; connections: () => number }> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  const port = await listenOnFreePort(server);
  onTestFinished(() => void server.close());
  return { port, connections: () => count };
}
