import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import type { JwtVerifier } from '../../src/access/jwt/jwt.ts';
import { jwtSettings, type JwtSettings } from '../../src/settings/groups/jwt.ts';
import { until } from '../helper.ts';
import { AUDIENCE, freePort, listenOn, movableClock } from './issuer.ts';
import { makeKey, publicJwk, signToken } from './tokens.ts';
import { startVerifier } from './verifier.ts';

const ISSUER = 'https://issuer.example';
const KEY = makeKey('one');
const GOOD = JSON.stringify({ keys: [publicJwk(KEY)] });

/** An attacker's key in a document that must not be taken. */
const EVIL = makeKey('evil');

function settingsFor(port: number): JwtSettings {
  return jwtSettings.parse({
    issuer: ISSUER,
    audience: AUDIENCE,
    jwks_url: `http://127.0.0.1:${port}/keys`,
    roles: { reader: 'reader' },
  });
}

function tokenOf(key: typeof KEY): string {
  const exp = Math.floor(Date.now() / 1000) + 86_400;
  return signToken(
    key,
    { alg: 'ES256', kid: key.kid },
    { iss: ISSUER, aud: AUDIENCE, sub: 'app', roles: 'reader', exp },
  );
}

function evil(key: object): RequestListener {
  return (_request, response) =>
    response.end(JSON.stringify({ keys: [{ ...publicJwk(EVIL), ...key }] }));
}

/** A key with so much white space behind it. */
function padded(bytes: number): RequestListener {
  return (_request, response) => {
    response.end(`${JSON.stringify({ keys: [publicJwk(EVIL)] })}${' '.repeat(bytes)}`);
  };
}

const manyKeys = (count: number): string =>
  JSON.stringify({ keys: Array.from({ length: count }, () => ({ kty: 'EC' })) });

const answers: Record<string, RequestListener> = {
  'no JSON': (_request, response) => response.end('<html>Bad gateway</html>'),
  nothing: (_request, response) => response.end(),
  'a list': (_request, response) => response.end('[]'),
  null: (_request, response) => response.end('null'),
  'keys that are no list': (_request, response) => response.end('{"keys":{}}'),
  'keys that are texts': (_request, response) => response.end('{"keys":["a"]}'),
  'no keys': (_request, response) => response.end('{"keys":[]}'),
  'keys named twice': (_request, response) =>
    response.end(`{"keys":[],"keys":[${JSON.stringify(publicJwk(EVIL))}]}`),
  'bytes that are no text': (_request, response) => response.end(Buffer.from([0xff, 0xfe, 0x7b])),
  'a key for encryption': evil({ use: 'enc' }),
  'a private key': evil({ d: 'AAAA' }),
  'a shared secret': evil({ kty: 'oct', k: 'c2VjcmV0' }),
  '101 keys': (_request, response) => response.end(manyKeys(101)),
  '100,000 keys': (_request, response) => response.end(manyKeys(100_000)),
  '10 MB': padded(10_000_000),
  '256 KiB and a key': padded(256 * 1024),
  'deep nesting': (_request, response) => response.end('{"keys":'.repeat(20_000)),
  'an error': (_request, response) =>
    response.writeHead(500).end(JSON.stringify({ keys: [publicJwk(EVIL)] })),
  'half of an answer': (_request, response) => {
    response.writeHead(200, { 'content-length': GOOD.length });
    response.write(GOOD.slice(0, 20), () => response.destroy());
  },
};

describe('an issuer that answers', () => {
  it.each(Object.keys(answers))('%s keeps its old keys', async (name) => {
    const { verifier, clock, lines, answer } = await startWith((_request, response) =>
      response.end(GOOD),
    );
    expect(await verifier.verify(tokenOf(KEY))).toBeDefined();
    answer(answers[name]);
    clock.move(700);
    expect(await verifier.verify(tokenOf(KEY))).toBeDefined();
    await until(() => lines.some((line) => line.includes('cannot be read')));
    expect(await verifier.verify(tokenOf(KEY))).toBeDefined();
    expect(await verifier.verify(tokenOf(EVIL))).toBeUndefined();
  });

  it('with 100 keys is read, whatever else is among them', async () => {
    const strange = Array.from({ length: 99 }, (_, index) => ({ kty: 'STRANGE', kid: index }));
    const { verifier } = await startWith((_request, response) =>
      response.end(JSON.stringify({ keys: [...strange, publicJwk(KEY)] })),
    );
    expect(await verifier.verify(tokenOf(KEY))).toBeDefined();
  });

  it.each([301, 302, 303, 307, 308])('with a redirect (%i) is not followed', async (status) => {
    let followed = 0;
    const port = await serve((_request, response) => {
      followed += 1;
      response.end(JSON.stringify({ keys: [publicJwk(EVIL)] }));
    });
    const { verifier } = await startWith((_request, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${port}/` }).end();
    });
    await expect(verifier.verify(tokenOf(EVIL))).rejects.toMatchObject({
      code: 'auth_unavailable',
    });
    expect(followed).toBe(0);
  });
});

describe('an issuer that accepts and stays silent', () => {
  it('costs its time limit once, and then nothing', async () => {
    const { verifier } = startVerifier([settingsFor(await silentPort())]);
    const first = await Promise.all(Array.from({ length: 50 }, () => timed(verifier)));
    expect(Math.max(...first)).toBeLessThan(4500);
    expect(Math.min(...first)).toBeGreaterThan(2500);
    const next: number[] = [];
    // Meanwhile it is tried again in the background.
    const end = Date.now() + 2500;
    while (Date.now() < end) {
      next.push(await timed(verifier));
      await sleep(20);
    }
    expect(Math.max(...next)).toBeLessThan(1000);
  });

  it('costs nothing while known keys serve', async () => {
    const { verifier, clock, answer } = await startWith((_request, response) => response.end(GOOD));
    await verifier.verify(tokenOf(KEY));
    answer(() => undefined);
    clock.move(700);
    expect(await timed(verifier)).toBeLessThan(1000);
  });
});

/** How long a verification takes, in milliseconds, whatever comes of it. */
async function timed(verifier: JwtVerifier): Promise<number> {
  const started = performance.now();
  await verifier.verify(tokenOf(KEY)).catch(() => undefined);
  return performance.now() - started;
}

async function startWith(first: RequestListener) {
  let handle = first;
  const port = await serve((request, response) => handle(request, response));
  const clock = movableClock();
  const answer = (next: RequestListener | undefined): void => {
    handle = next ?? first;
  };
  return { ...startVerifier([settingsFor(port)], { now: clock.now }), clock, answer };
}

async function serve(handle: RequestListener): Promise<number> {
  const port = await freePort();
  const { stop } = await listenOn(port, handle);
  onTestFinished(stop);
  return port;
}

async function silentPort(): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    sockets.forEach((socket) => socket.destroy());
  });
  return port;
}
