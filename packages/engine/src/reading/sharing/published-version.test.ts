import { describe, expect, it } from 'vitest';

import { PublishedVersion } from './published-version.ts';

describe('the version that callers see', () => {
  it('is another one for each version of the data, whichever was published before', () => {
    const published = new PublishedVersion(undefined);
    const [a, b] = [published.of('a'), published.of('b')];
    expect(b).not.toBe(a);
    expect([published.of('b'), published.of('a'), published.of('a')]).toEqual([b, a, a]);
    expect(new PublishedVersion(undefined).of('b')).toBe(b);
  });

  it('is none where the version of the data is unknown, whatever was published before', () => {
    const published = new PublishedVersion(undefined);
    expect([
      published.of(undefined),
      published.of('a') === undefined,
      published.of(undefined),
    ]).toEqual([undefined, false, undefined]);
  });

  it('is the same in every process over the same database, and shows nothing of the version', () => {
    const [one, other] = ['1/', '2/'].map((own) => {
      return new PublishedVersion({ shared: (version) => version.slice(own.length) }).of(
        `${own}734:734:`,
      );
    });
    expect(one).toBe(other);
    expect(one).toMatch(/^[\w-]{22}$/);
  });
});
