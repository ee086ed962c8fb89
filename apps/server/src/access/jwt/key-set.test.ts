import { generateKeyPairSync } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { KeySet, type KeySetParts } from './key-set.ts';

const MINUTE = 60_000;

const HEADER = { alg: 'ES256', kid: 'a' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a key set', () => {
  it('is read at once, and by all who wait together', async () => {
    const { keySet, reads } = startKeySet();
    const all = await Promise.all([keySet.keys(), keySet.keys(), keySet.keys()]);
    expect(new Set(all).size).toBe(1);
    expect(reads()).toBe(1);
  });

  it('is read every ten minutes, whether or not anybody asks', async () => {
    const { reads } = startKeySet();
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    expect(reads()).toBe(7);
  });

  it('that did not change stays the same, so that no key is imported again', async () => {
    const { keySet } = startKeySet();
    const keys = await keySet.keys();
    await vi.advanceTimersByTimeAsync(11 * MINUTE);
    expect(await keySet.keys()).toBe(keys);
  });

  it('reports when a key is gone, and only then', async () => {
    const [a, b] = [jwk('a'), jwk('b')];
    const { answer, removals } = startKeySet({ a });
    answer({ a, b });
    await vi.advanceTimersByTimeAsync(11 * MINUTE);
    expect(removals()).toBe(0);
    answer({ b });
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(removals()).toBe(1);
  });

  it('that a machine slept through is read in the background when it is asked for', async () => {
    const { keySet, reads } = startKeySet();
    await keySet.keys();
    vi.setSystemTime(Date.now() + 20 * 60 * MINUTE);
    await keySet.keys();
    expect(reads()).toBe(2);
  });

  it('that is older than a day is not used before it is read again', async () => {
    const { keySet, answer } = startKeySet();
    const old = await keySet.keys();
    answer({ b: jwk('b') });
    vi.setSystemTime(Date.now() + 25 * 60 * MINUTE);
    expect(await keySet.keys()).not.toBe(old);
  });

  it('is read again ten minutes after the last read, whoever asked for that', async () => {
    const { keySet, reads } = startKeySet();
    const keys = await keySet.keys();
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    await keySet.otherThan(keys);
    await keySet.keys();
    expect(reads()).toBe(2);
    await vi.advanceTimersByTimeAsync(6 * MINUTE);
    expect(reads()).toBe(2);
  });

  it('that is closed while it is read is not read again', async () => {
    const { keySet, reads } = startKeySet();
    keySet.close();
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    expect(reads()).toBe(1);
  });

  it('is not read any more once it is closed', async () => {
    const { keySet, reads, signals } = startKeySet();
    await keySet.keys();
    keySet.close();
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    expect(reads()).toBe(1);
    expect(signals.every((signal) => signal.aborted)).toBe(true);
  });
});

describe('keys that cannot be read', () => {
  it('are tried again after 1 to 30 seconds, longer each time, however many ask', async () => {
    const { keySet, answer, times } = startKeySet(null);
    await expect(keySet.keys()).rejects.toMatchObject({ code: 'auth_unavailable' });
    for (let second = 0; second < 600; second++) {
      await vi.advanceTimersByTimeAsync(1000);
      await expect(keySet.keys()).rejects.toMatchObject({ code: 'auth_unavailable' });
    }
    const waits = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1000);
    const longest = [2, 4, 8, 16, ...waits.slice(4).map(() => 30)];
    waits.forEach((wait, index) => {
      expect(wait).toBeLessThanOrEqual((longest[index] ?? 0) + 0.01);
      expect(wait).toBeGreaterThanOrEqual((longest[index] ?? 0) / 2);
    });
    expect(new Set(waits.slice(4)).size, 'at random').toBeGreaterThan(5);
    answer({ a: jwk('a') });
    await vi.advanceTimersByTimeAsync(30_000);
    await expect(keySet.keys()).resolves.toBeDefined();
  });

  it('serve as they were read last for a day, and nobody who asks waits for them', async () => {
    const { keySet, answer, reads } = startKeySet();
    const keys = await keySet.keys();
    const readAt = Date.now();
    answer(null);
    await vi.advanceTimersByTimeAsync(11 * MINUTE);
    const readsBefore = reads();
    vi.setSystemTime(readAt + 24 * 60 * MINUTE - 1);
    expect([await keySet.keys(), await keySet.keys()]).toEqual([keys, keys]);
    expect(reads()).toBe(readsBefore);
    vi.setSystemTime(readAt + 24 * 60 * MINUTE);
    await expect(keySet.keys()).rejects.toMatchObject({
      code: 'auth_unavailable',
      message: 'The keys of the token issuer cannot be read.',
      cause: { message: 'fetch failed' },
    });
  });

  it('are logged while old keys serve, and again when the same are back', async () => {
    const warn = vi.fn<KeySetParts['log']['warn']>();
    const info = vi.fn<KeySetParts['log']['info']>();
    const a = jwk('a');
    const { answer } = startKeySet({ a }, { log: { warn, info } });
    await vi.advanceTimersByTimeAsync(MINUTE);
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(info.mock.calls, 'an unchanged key is not logged').toEqual([readOneKey(1)]);
    answer(null);
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(warn.mock.calls).toMatchObject([[{ serving: true }, expect.any(String)]]);
    answer({ a });
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(info.mock.calls).toEqual([readOneKey(1), readOneKey(0)]);
  });

  it('are logged once, and once more when they are back', async () => {
    const warn = vi.fn<KeySetParts['log']['warn']>();
    const info = vi.fn<KeySetParts['log']['info']>();
    const { keySet, answer } = startKeySet(null, { log: { warn, info } });
    await expect(keySet.keys()).rejects.toMatchObject({ code: 'auth_unavailable' });
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    answer({ a: jwk('a') });
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      {
        issuer: 'https://issuer.example',
        serving: false,
        reason: 'fetch failed: connect ECONNREFUSED',
      },
      'the keys of a token issuer cannot be read',
    );
    expect(info).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ keys: 1 }),
      expect.any(String),
    );
  });
});

describe('a key that is not known', () => {
  it('is looked for five seconds after the last read, by one read for all', async () => {
    const { keySet, answer, reads } = startKeySet();
    const keys = await keySet.keys();
    answer({ b: jwk('b') });
    expect(await keySet.otherThan(keys)).toBeUndefined();
    await vi.advanceTimersByTimeAsync(5000);
    const found = await Promise.all([keySet.otherThan(keys), keySet.otherThan(keys)]);
    expect(found[0]).toBe(found[1]);
    await expect(
      found[0]?.({ ...HEADER, kid: 'b' }, { payload: '', signature: '' }),
    ).resolves.toBeDefined();
    expect(reads()).toBe(2);
  });

  it('is found among keys that were read meanwhile', async () => {
    const { keySet, answer, reads } = startKeySet();
    const keys = await keySet.keys();
    answer({ b: jwk('b') });
    await vi.advanceTimersByTimeAsync(11 * MINUTE);
    expect(await keySet.otherThan(keys)).toBe(await keySet.keys());
    expect(reads()).toBe(2);
  });

  it('is not waited for after a failure', async () => {
    const { keySet, answer, reads } = startKeySet();
    const keys = await keySet.keys();
    answer(null);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await keySet.otherThan(keys)).toBeUndefined();
    answer('silent');
    await vi.advanceTimersByTimeAsync(2000);
    expect(reads()).toBe(3);
    expect(await keySet.otherThan(keys)).toBeUndefined();
  });

  it('works within five seconds although others name keys that do not exist all the time', async () => {
    const { keySet, answer, reads } = startKeySet();
    const keys = await keySet.keys();
    const seconds = async (
      count: number,
      unknown: typeof keys,
    ): Promise<typeof keys | undefined> => {
      let found: typeof keys | undefined;
      for (let second = 0; second < count && found === undefined; second++) {
        await vi.advanceTimersByTimeAsync(1000);
        found = await keySet.otherThan(unknown);
      }
      return found;
    };
    expect(await seconds(61, keys)).toBeUndefined();
    expect(reads()).toBe(13);
    answer({ b: jwk('b') });
    expect(await seconds(5, keys)).toBe(await keySet.keys());
    expect(reads()).toBe(14);
  });

  it('works within five seconds after an issuer that did not answer is back with it', async () => {
    const { keySet, answer, times } = startKeySet();
    const keys = await keySet.keys();
    answer(null);
    await vi.advanceTimersByTimeAsync(12 * MINUTE);
    answer({ b: jwk('b') });
    const lastTry = times.at(-1) ?? 0;
    await vi.advanceTimersByTimeAsync(Math.max(0, lastTry + 5000 - Date.now()));
    await keySet.otherThan(keys);
    await vi.advanceTimersByTimeAsync(0);
    expect(await keySet.otherThan(keys)).toBeDefined();
  });

  it('is looked for although the clock was put back', async () => {
    const { keySet, reads } = startKeySet();
    const keys = await keySet.keys();
    vi.setSystemTime(Date.now() - 60 * MINUTE);
    await keySet.otherThan(keys);
    expect(reads()).toBe(2);
  });
});

/** What is logged when the one key of the issuer was read. */
function readOneKey(added: number): unknown[] {
  return [
    { issuer: 'https://issuer.example', keys: 1, added, removed: 0 },
    'the keys of a token issuer were read',
  ];
}

type Keys = Readonly<Record<string, object>>;

/** A key set over a stand-in for the issuer, which fails where it has no keys, or says nothing. */
function startKeySet(first: Keys | null = { a: jwk('a') }, parts: Partial<KeySetParts> = {}) {
  let keys: Keys | null | 'silent' = first;
  let removals = 0;
  const times: number[] = [];
  const signals: AbortSignal[] = [];
  const fetch: KeySetParts['fetch'] = (_url, init) => {
    times.push(Date.now());
    if (init?.signal) signals.push(init.signal);
    if (keys === 'silent') return new Promise(() => undefined);
    if (keys !== null) return Promise.resolve(Response.json({ keys: Object.values(keys) }));
    return Promise.reject(
      new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }),
    );
  };
  const keySet = new KeySet({
    issuer: 'https://issuer.example',
    url: 'https://issuer.example/keys',
    fetch,
    now: Date.now,
    log: { info: () => undefined, warn: () => undefined },
    onRemoval: () => {
      removals += 1;
    },
    ...parts,
  });
  onTestFinished(() => keySet.close());
  const answer = (next: typeof keys): void => {
    keys = next;
  };
  return { keySet, answer, times, signals, reads: () => times.length, removals: () => removals };
}

function jwk(kid: string): object {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...publicKey.export({ format: 'jwk' }), kid };
}
