import { describe, expect, it } from 'vitest';

import { Versions } from './versions.ts';

const read = (version: string | undefined) => async () => ({ version });

describe('the versions of a server', () => {
  it('are equal for reads that report the same, as long as no connection breaks', async () => {
    const versions = new Versions();
    const [first, second] = [await versions.of(read('7')), await versions.of(read('7'))];
    expect(second).toEqual(first);
    versions.connectionBroke();
    expect((await versions.of(read('7'))).version).not.toBe(first.version);
  });

  it('are unknown for a read during which a connection broke', async () => {
    const versions = new Versions();
    const broken = versions.of(async () => {
      versions.connectionBroke();
      return { version: '7' };
    });
    expect(await broken).toEqual({ version: undefined });
  });

  it('are unknown where a read reports none', async () => {
    expect(await new Versions().of(read(undefined))).toEqual({ version: undefined });
  });
});
