import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { DataVersion, DataVersions, publishedVersions } from './data-version.ts';

/** A source whose checks are answered by hand. */
function byHand() {
  const asked: PromiseWithResolvers<string | undefined>[] = [];
  const version = new DataVersion(() => {
    const check = Promise.withResolvers<string | undefined>();
    asked.push(check);
    return check.promise;
  });
  return { version, asked };
}

describe('a check of the version', () => {
  it('is not shared with a caller who comes after it began', async () => {
    const { version, asked } = byHand();
    const first = version.check();
    await expect.poll(() => asked.length).toBe(1);
    const second = version.check();
    asked[0]?.resolve('old');
    expect(await first).toBe('old');
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.resolve('new');
    expect(await second).toBe('new');
  });

  it('is shared by all who wait for it to begin', async () => {
    const { version, asked } = byHand();
    const first = version.check();
    await expect.poll(() => asked.length).toBe(1);
    const waiting = Array.from({ length: 100 }, () => version.check());
    asked[0]?.resolve('1');
    await first;
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.resolve('2');
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['2']));
    expect(asked).toHaveLength(2);
  });

  it('that fails reports no version, and the next one is made all the same', async () => {
    const { version, asked } = byHand();
    const first = version.check();
    await expect.poll(() => asked.length).toBe(1);
    const second = version.check();
    asked[0]?.reject(new Error('away'));
    expect(await first).toBeUndefined();
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.resolve('1');
    expect(await second).toBe('1');
  });
});

describe('the latest version', () => {
  it('is what was seen last, be it by a check or by a reading', async () => {
    const version = new DataVersion(async () => '2');
    version.observe('1');
    expect(version.mayBeCurrent('1')).toBe(true);
    await version.check();
    expect([version.mayBeCurrent('1'), version.mayBeCurrent('2')]).toEqual([false, true]);
    version.observe(undefined);
    expect(version.mayBeCurrent('2')).toBe(true);
  });
});

/** A version after four others, each of which was seen by one reading alone. */
function restless(): DataVersion {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const version = new DataVersion(() => Promise.resolve('unused'));
  for (const seen of ['1', '2', '3', '4', '5']) {
    vi.advanceTimersByTime(10);
    // A reading notes its version several times.
    version.observe(seen);
    vi.advanceTimersByTime(4);
    version.observe(seen);
  }
  return version;
}

describe('a version that many have come before', () => {
  it('is taken for outdated as long as each one was that of one reading alone', () => {
    const version = restless();
    expect(version.mayBeCurrent('5')).toBe(false);
  });

  it('may be current once it was seen again later', () => {
    const version = restless();
    vi.advanceTimersByTime(1);
    version.observe('5');
    expect(version.mayBeCurrent('5')).toBe(true);
    version.observe('6');
    expect(version.mayBeCurrent('6')).toBe(true);
  });
});

describe('the versions of a source', () => {
  it('are one for the whole database where it does not tell relations apart', () => {
    const versions = new DataVersions({ scopeOf: () => '', current: async () => '1' });
    expect(versions.of([['cities']])).toBe(versions.of([['people']]));
  });

  it('are checked for each scope that the source has at the moment', async () => {
    const scopes = new Map([['cities', 'cities']]);
    const versions = new DataVersions({
      scopeOf: ([[name = ''] = []]) => scopes.get(name) ?? '',
      current: async (scope: string) => `version of "${scope}"`,
    });
    expect(await versions.of([['cities']]).check()).toBe('version of "cities"');
    expect(await versions.of([['people']]).check()).toBe('version of ""');
    versions.of([['cities']]).observe('7');
    expect(versions.of([['people']]).mayBeCurrent('7')).toBe(false);
    scopes.clear();
    expect(versions.of([['cities']])).toBe(versions.of([['people']]));
  });
});

describe('the version that callers see', () => {
  it('is another one for each version of the data, whichever was published before', () => {
    const published = publishedVersions(undefined);
    const [a, b] = [published('a'), published('b')];
    expect(b).not.toBe(a);
    expect([published('b'), published('a'), published('a')]).toEqual([b, a, a]);
    expect(publishedVersions(undefined)('b')).toBe(b);
  });

  it('is none where the version of the data is unknown, whatever was published before', () => {
    const published = publishedVersions(undefined);
    expect([published(undefined), published('a') === undefined, published(undefined)]).toEqual([
      undefined,
      false,
      undefined,
    ]);
  });

  it('is the same in every process over the same database, and shows nothing of the version', () => {
    const [one, other] = ['1/', '2/'].map((own) => {
      const published = publishedVersions({ shared: (version) => version.slice(own.length) });
      return published(`${own}734:734:`);
    });
    expect(one).toBe(other);
    expect(one).toMatch(/^[\w-]{22}$/);
  });
});

it('a source without versions, or without scopes of them, has one for all relations', async () => {
  for (const source of [undefined, { current: async () => '1' }]) {
    const versions = new DataVersions(source);
    expect(versions.of([['a']])).toBe(versions.of([['b']]));
    expect(await versions.of([['a']]).check()).toBe(source && '1');
  }
  const published = publishedVersions({});
  expect(published('1')).toBe(publishedVersions(undefined)('1'));
});
