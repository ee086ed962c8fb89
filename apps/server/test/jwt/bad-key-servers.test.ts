import type { RequestListener } from 'node:http';
import { setImmediate } from 'node:timers/promises';

import { HttpProblem } from '@proj/fastify/host';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { jwtSettings, type JwtSettings } from '../../src/settings/groups/jwt.ts';
import { until } from '../helper.ts';
import { AUDIENCE, movableClock, serve } from './issuer.ts';
import { makeKey, publicJwk, signToken } from './tokens.ts';
import { startVerifier } from './verifier.ts';

const ISSUER = 'https://issuer.example';
const KEY = makeKey('one');
const GOOD = JSON.stringify({ keys: [publicJwk(KEY)] });

/** An attacker's key in a document that must not be taken. */
const EVIL = makeKey('evil');

function settingsFor(origin: string): JwtSettings {
  return jwtSettings.parse({
    issuer: ISSUER,
    audience: AUDIENCE,
    jwks_url: `${origin}/keys`,
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
    const elsewhere = await serve((_request, response) => {
      followed += 1;
      response.end(JSON.stringify({ keys: [publicJwk(EVIL)] }));
    });
    const { verifier } = await startWith((_request, response) => {
      response.writeHead(status, { location: elsewhere }).end();
    });
    await expect(verifier.verify(tokenOf(EVIL))).rejects.toMatchObject({
      code: 'auth_unavailable',
    });
    expect(followed).toBe(0);
  });
});

describe('an issuer that accepts and stays silent', () => {
  it('costs its time limit once, and then nothing', async () => {
    const limit = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    onTestFinished(() => timeout.mockRestore());
    let reads = 0;
    const silent = await serve(() => void (reads += 1));
    const { verifier } = startVerifier([settingsFor(silent)]);
    const refusals = () =>
      Array.from({ length: 50 }, () =>
        verifier.verify(tokenOf(KEY)).catch((error: unknown) => error),
      );
    const first = Promise.all(refusals());
    await until(() => reads === 1);
    expect(await Promise.race([first, setImmediate('waits')])).toBe('waits');
    limit.abort();
    expect(new Set((await first).map(codeOf))).toEqual(new Set(['auth_unavailable']));
    expect(reads).toBe(1);
    expect(timeout.mock.calls).toEqual([[3000]]);
    // It is tried again in the background.
    const next = Promise.all(refusals());
    expect(await Promise.race([next, setImmediate('waits')])).not.toBe('waits');
    expect(new Set((await next).map(codeOf))).toEqual(new Set(['auth_unavailable']));
  });

  it('costs nothing while known keys serve', async () => {
    const { verifier, clock, answer, lines } = await startWith((_request, response) =>
      response.end(GOOD),
    );
    await verifier.verify(tokenOf(KEY));
    let reads = 0;
    answer(() => void (reads += 1));
    clock.move(700);
    expect(await verifier.verify(tokenOf(KEY))).toBeDefined();
    await until(() => reads === 1);
    expect(await verifier.verify(tokenOf(KEY))).toBeDefined();
    expect(lines.filter((line) => line.includes('cannot be read'))).toEqual([]);
  });
});

function codeOf(error: unknown): unknown {
  return error instanceof HttpProblem ? error.code : error;
}

async function startWith(first: RequestListener) {
  let handle = first;
  const origin = await serve((request, response) => handle(request, response));
  const clock = movableClock();
  const answer = (next: RequestListener | undefined): void => {
    handle = next ?? first;
  };
  return { ...startVerifier([settingsFor(origin)], { now: clock.now }), clock, answer };
}
