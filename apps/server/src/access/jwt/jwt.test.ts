import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

import { expect, it, onTestFinished, vi } from 'vitest';

import { jwtSettings } from '../../settings/groups/jwt.ts';
import { createJwtVerifier } from './jwt.ts';

const ISSUER = 'https://issuer.example';

interface Key {
  readonly jwk: object;
  readonly privateKey: KeyObject;
}

it('a token that names no key is tried with four keys and no more', async () => {
  const keys = Array.from({ length: 5 }, () => ecKey());
  const { verify } = startVerifier(() => keys);
  const verified = await Promise.all(keys.map((key) => verify(tokenBy(key))));
  expect(verified.map((one) => one !== undefined)).toEqual([true, true, true, true, false]);
});

it('a token that names no key may be signed with a new one', async () => {
  const [old, fresh] = [ecKey(), ecKey()];
  let keys = [old];
  const { verify, move } = startVerifier(() => keys);
  expect(await verify(tokenBy(old))).toBeDefined();
  keys = [fresh];
  expect(await verify(tokenBy(fresh))).toBeUndefined();
  move(31);
  expect(await verify(tokenBy(fresh))).toBeDefined();
  expect(await verify(tokenBy(old))).toBeUndefined();
});

it('a token is not kept as verified when its key was removed while it was verified', async () => {
  const [old, fresh] = [ecKey(), ecKey()];
  let keys = [old];
  const { verify, move } = startVerifier(() => keys);
  const token = tokenBy(old);
  const held = holdNextVerification();
  const verifying = verify(token);
  await held.begun;
  keys = [fresh];
  move(31);
  expect(await verify(tokenBy(fresh))).toBeDefined();
  held.release();
  expect(await verifying).toBeDefined();
  expect(await verify(token)).toBeUndefined();
});

it.each([
  ['an RSA key of 1024 bits', rsaKey(1024)],
  ['a key for another algorithm', rsaKey(2048, { alg: 'RS512' })],
  ['a key that may only encrypt', rsaKey(2048, { key_ops: ['encrypt'] })],
  ['a key that is broken', rsaKey(2048, { n: '!' })],
])('a token by %s is not valid', async (_name, key) => {
  const { verify } = startVerifier(() => [key]);
  expect(await verify(tokenBy(key, 'RS256'))).toBeUndefined();
});

it('keys are read of all issuers at once, and of none when it is closed', async () => {
  const urls: string[] = [];
  const signals: unknown[] = [];
  const fetch: typeof globalThis.fetch = (url, init) => {
    signals.push(init?.signal);
    urls.push(url instanceof Request ? url.url : String(url));
    return Promise.reject(new Error('down'));
  };
  const settings = ['https://a.example', 'https://b.example'].map((issuer) => settingsOf(issuer));
  const verifier = createJwtVerifier(settings, { fetch });
  verifier.close();
  expect(urls).toEqual(['https://a.example/keys', 'https://b.example/keys']);
  expect(signals).toMatchObject([{ aborted: true }, { aborted: true }]);
});

function settingsOf(issuer: string) {
  return jwtSettings.parse({
    issuer,
    audience: 'api',
    jwks_url: `${issuer}/keys`,
    roles: { staff: 'reader' },
  });
}

function startVerifier(keys: () => readonly Key[]) {
  let offset = 0;
  const fetch: typeof globalThis.fetch = () =>
    Promise.resolve(Response.json({ keys: keys().map(({ jwk }) => jwk) }));
  const { verify, close } = createJwtVerifier([settingsOf(ISSUER)], {
    fetch,
    now: () => Date.now() + offset,
  });
  onTestFinished(close);
  const move = (seconds: number): void => {
    offset += seconds * 1000;
  };
  return { verify, move };
}

/** Lets the next check of a signature wait. */
function holdNextVerification() {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const original = crypto.subtle.verify.bind(crypto.subtle);
  const spy = vi.spyOn(crypto.subtle, 'verify').mockImplementationOnce(async (...signed) => {
    begun.resolve();
    await released.promise;
    return original(...signed);
  });
  onTestFinished(() => spy.mockRestore());
  return { begun: begun.promise, release: released.resolve };
}

function ecKey(): Key {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { jwk: publicKey.export({ format: 'jwk' }), privateKey };
}

function rsaKey(modulusLength: number, changed: object = {}): Key {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength });
  return { jwk: { ...publicKey.export({ format: 'jwk' }), ...changed }, privateKey };
}

function tokenBy({ privateKey }: Key, alg: 'ES256' | 'RS256' = 'ES256'): string {
  const claims = {
    iss: ISSUER,
    aud: 'api',
    sub: 'app',
    roles: 'staff',
    exp: Math.floor(Date.now() / 1000) + 3600,
  };
  const input = [{ alg }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('sha256', Buffer.from(input), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  });
  return `${input}.${signature.toString('base64url')}`;
}
