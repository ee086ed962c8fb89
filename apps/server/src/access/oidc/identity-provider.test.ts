import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { IdentityProvider } from './identity-provider.ts';

const ISSUER = 'https://id.example.com/realms/shop';
const MINUTE = 60_000;

const DOCUMENT = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/auth`,
  token_endpoint: `${ISSUER}/token`,
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A provider that answers so, until it is said otherwise. */
function start(first: object | Error) {
  let now = first;
  const lines: unknown[] = [];
  const fetch = vi.fn<typeof globalThis.fetch>(() =>
    now instanceof Error ? Promise.reject(now) : Promise.resolve(Response.json(now)),
  );
  const write = (...line: readonly unknown[]): void => void lines.push(line);
  const log = { info: write, warn: write };
  const provider = new IdentityProvider(ISSUER, { fetch, now: Date.now, log });
  onTestFinished(() => provider.close());
  const answer = (next: object | Error): void => void (now = next);
  return { provider, fetch, lines, answer, reads: () => fetch.mock.calls.length };
}

const AWAY = new TypeError('fetch failed');

describe('what a provider says of itself', () => {
  it('is read once, from its well-known address, without a redirect', async () => {
    const { provider, fetch, lines } = start(DOCUMENT);
    expect(await provider.document()).toEqual(DOCUMENT);
    expect(await provider.document()).toEqual(DOCUMENT);
    expect(fetch).toHaveBeenCalledExactlyOnceWith(
      `${ISSUER}/.well-known/openid-configuration`,
      expect.objectContaining({ redirect: 'manual' }),
    );
    expect(lines).toEqual([]);
  });

  it('is read again by whoever finds it old, who does not wait', async () => {
    const { provider, answer, reads } = start(DOCUMENT);
    await provider.document();
    const moved = { ...DOCUMENT, token_endpoint: `${ISSUER}/tokens` };
    answer(moved);
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    await provider.document();
    expect(reads()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await provider.document()).toEqual(DOCUMENT);
    await vi.advanceTimersByTimeAsync(0);
    expect(await provider.document()).toEqual(moved);
    expect(reads()).toBe(2);
  });

  it('serves on while the provider is away, which is logged once', async () => {
    const { provider, answer, reads, lines } = start(DOCUMENT);
    await provider.document();
    answer(AWAY);
    for (let times = 0; times < 10; times += 1) {
      await vi.advanceTimersByTimeAsync(11 * MINUTE);
      expect(await provider.document()).toEqual(DOCUMENT);
    }
    await vi.advanceTimersByTimeAsync(0);
    expect(reads()).toBe(11);
    expect(lines).toEqual([
      [
        { issuer: ISSUER, serving: true, reason: 'fetch failed' },
        'the OpenID provider of the explorer cannot be read',
      ],
    ]);
    answer(DOCUMENT);
    await vi.advanceTimersByTimeAsync(MINUTE);
    await provider.document();
    await vi.advanceTimersByTimeAsync(0);
    expect(lines.at(-1)).toEqual([{ issuer: ISSUER }, 'the OpenID provider can be read again']);
  });

  it('is asked for once in five seconds at most while it was never read', async () => {
    const { provider, answer, reads } = start(AWAY);
    for (let times = 0; times < 10; times += 1) expect(await provider.document()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(5000);
    expect(await provider.document()).toBeUndefined();
    expect(reads()).toBe(1);
    answer(DOCUMENT);
    await vi.advanceTimersByTimeAsync(1);
    expect(await provider.document()).toEqual(DOCUMENT);
    expect(reads()).toBe(2);
  });

  it('is read again where the clock was set back', async () => {
    const { provider, reads } = start(DOCUMENT);
    await provider.document();
    vi.setSystemTime(Date.now() - 1);
    await provider.document();
    expect(reads()).toBe(2);
  });

  it('is not read on where nobody asks for it any more', () => {
    const { provider, fetch } = start(DOCUMENT);
    provider.close();
    expect(fetch.mock.calls[0]?.[1]?.signal?.aborted).toBe(true);
  });

  it.each<[string, object, RegExp]>([
    ['of another issuer', { ...DOCUMENT, issuer: `${ISSUER}/` }, /calls itself .*shop\/, so oidc/],
    [
      'without PKCE',
      { ...DOCUMENT, code_challenge_methods_supported: ['plain'] },
      /no PKCE with S256/,
    ],
    [
      'with an address that others can read on its way',
      { ...DOCUMENT, token_endpoint: 'http://id.example.com/token' },
      /see token_endpoint/,
    ],
    ['that is no such thing', { keys: [] }, /no metadata of a provider: see issuer/],
  ])('is not taken %s', async (_, document, reason) => {
    const { provider, lines } = start(document);
    expect(await provider.document()).toBeUndefined();
    expect(lines).toEqual([
      [
        { issuer: ISSUER, serving: false, reason: expect.stringMatching(reason) as string },
        'the OpenID provider of the explorer cannot be read',
      ],
    ]);
  });

  it('is taken from a provider that does not say that it has PKCE', async () => {
    const { provider } = start({ ...DOCUMENT, end_session_endpoint: `${ISSUER}/logout` });
    expect(await provider.document()).toMatchObject({ end_session_endpoint: `${ISSUER}/logout` });
  });
});
