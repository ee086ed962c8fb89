import { describe, expect, it, vi } from 'vitest';

import { makeKey, publicJwk } from '../../../test/jwt/tokens.ts';
import { readKeyDocument } from './jwt-key-document.ts';

const URL = 'https://issuer.example/keys';
const KEY = publicJwk(makeKey('one'));
const NO_KEY = 'The answer has no public key for signatures.';

/** Reads what a server answers. */
function read(answer: Response) {
  const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(answer));
  const keys = readKeyDocument({ url: URL, fetch, signal: new AbortController().signal });
  return { keys, fetch };
}

const keysOf = (...keys: unknown[]) => read(Response.json({ keys })).keys;

/** A server that never answers. */
const silentFetch: typeof globalThis.fetch = (_url, options) =>
  new Promise((_resolve, reject) => {
    options?.signal?.addEventListener('abort', () => reject(new Error('the read has ended')));
  });

it('asks for a JWK set at the address of the settings, and follows nobody elsewhere', async () => {
  const { keys, fetch } = read(Response.json({ keys: [KEY] }));

  expect(await keys).toEqual({ keys: [KEY] });
  expect(fetch).toHaveBeenCalledExactlyOnceWith(
    URL,
    expect.objectContaining({
      redirect: 'manual',
      headers: { accept: 'application/jwk-set+json, application/json' },
    }),
  );
});

it('ends with the signal of whoever waits', async () => {
  const controller = new AbortController();
  const reading = readKeyDocument({
    url: URL,
    fetch: silentFetch,
    signal: controller.signal,
  });
  controller.abort();

  await expect(reading).rejects.toThrow('the read has ended');
});

it('ends after three seconds', async () => {
  const limit = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(limit.signal);
  const { signal } = new AbortController();
  const reading = readKeyDocument({ url: URL, fetch: silentFetch, signal });
  limit.abort();
  await expect(reading).rejects.toThrow('the read has ended');
  expect(timeout).toHaveBeenCalledExactlyOnceWith(3000);
  timeout.mockRestore();
});

describe('of the keys of a document', () => {
  it.each(['RSA', 'EC', 'OKP'])('takes a public key of type %s', async (kty) => {
    expect(await keysOf({ kty })).toEqual({ keys: [{ kty }] });
  });

  it.each([
    ['a shared secret', { ...KEY, kty: 'oct' }],
    ['a key that encrypts', { ...KEY, use: 'enc' }],
    ['a private key', { ...KEY, d: 'AQAB' }],
  ])('leaves out %s', async (_name, key) => {
    expect(await keysOf(key, KEY)).toEqual({ keys: [KEY] });
    await expect(keysOf(key)).rejects.toThrow(NO_KEY);
  });

  it('takes a key that does not say what it is for', async () => {
    const { use: _use, ...key } = KEY;

    expect(await keysOf(key)).toEqual({ keys: [key] });
  });

  it('takes a hundred, and refuses one more', async () => {
    const hundred = Array.from({ length: 100 }, () => KEY);

    expect((await keysOf(...hundred)).keys).toHaveLength(100);
    await expect(keysOf(...hundred, KEY)).rejects.toThrow('at most 100 keys');
  });
});

describe('refuses', () => {
  it.each([201, 302, 404, 500])('the status %i, and reads no body', async (status) => {
    const answer = new Response(JSON.stringify({ keys: [KEY] }), { status });

    await expect(read(answer).keys).rejects.toThrow(`The answer has the status ${status}.`);
    expect(answer.bodyUsed).toBe(true);
  });

  it('a status without a body', async () => {
    const answer = new Response(null, { status: 204 });

    await expect(read(answer).keys).rejects.toThrow('The answer has the status 204.');
  });

  it.each(['{}', '[]', '{"keys":{}}', '{"keys":[1]}', '{"keys":[{"kid":"one"}]}'])(
    'what is no JWK set: %s',
    async (text) => {
      await expect(read(new Response(text)).keys).rejects.toThrow('The answer is no JWK set');
    },
  );

  it('a set without keys', async () => {
    await expect(keysOf()).rejects.toThrow(NO_KEY);
  });

  it.each([
    ['', 'The body is empty'],
    ['{"keys":[],"keys":[]}', 'A member is named "keys" twice.'],
  ])('the text %j', async (text, message) => {
    await expect(read(new Response(text)).keys).rejects.toThrow(message);
  });

  it('an answer without a body', async () => {
    await expect(read(new Response(null)).keys).rejects.toThrow('The body is empty');
  });

  it('more than 256 KiB, however they are divided', async () => {
    const text = JSON.stringify({ keys: [KEY] });
    const padded = (bytes: number) => text + ' '.repeat(bytes - text.length);

    expect(await read(new Response(padded(2 ** 18))).keys).toEqual({ keys: [KEY] });
    await expect(read(new Response(padded(2 ** 18 + 1))).keys).rejects.toThrow(
      'The answer is longer than 262144 bytes.',
    );
    const chunks = ReadableStream.from([padded(2 ** 17), ' '.repeat(2 ** 17), ' ']);
    await expect(
      read(new Response(chunks.pipeThrough(new TextEncoderStream()))).keys,
    ).rejects.toThrow('The answer is longer than 262144 bytes.');
  });
});
