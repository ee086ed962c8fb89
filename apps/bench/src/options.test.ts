import { describe, expect, test } from 'vitest';

import { type BenchFlags, readOptions } from './options.ts';

describe('options', () => {
  test('without flags are the whole comparison', () => {
    expect(readOptions({}, '/docs')).toEqual({
      databases: ['postgres', 'mariadb', 'sqlite'],
      urls: {},
      rows: [10_000, 1_000_000, 10_000_000],
      sizes: [10, 100, 1000],
      depths: ['first', 'middle', 'last'],
      writes: [0, 1, 10, 100],
      connections: 16,
      seconds: 1,
      rounds: 2,
      starts: 3,
      parts: ['pages', 'writes'],
      setups: ['primary', 'feed', 'standby', 'process', 'no-process', 'file'],
      written: [
        'nothing',
        'another server',
        'another table',
        'this table',
        'this table beside an open transaction',
      ],
      lists: ['whole', 'several', 'filtered', 'tenants', 'ordered'],
      writeRates: [0, 10, 100, 1000],
      trialSeconds: 4,
      out: '/docs',
    });
  });

  test('that are typed win over those of --quick', () => {
    const options = readOptions(
      { quick: true, rows: '500', pages: 'last,first', out: '/elsewhere' },
      '/docs',
    );
    expect(options).toMatchObject({
      rows: [500],
      depths: ['first', 'last'],
      seconds: 0.2,
      rounds: 1,
      out: '/elsewhere',
    });
  });

  test('name the server to use', () => {
    expect(readOptions({ postgresUrl: 'postgres://host/db' }, '').urls).toEqual({
      postgres: 'postgres://host/db',
    });
  });

  test.for<[BenchFlags, string]>([
    [{ rows: '10' }, '--rows: expected whole numbers from 100'],
    [{ sizes: '1001' }, '--sizes: expected whole numbers from 1 to 1000'],
    [{ writes: '1.5' }, '--writes: expected whole numbers'],
    [{ connections: '1,2' }, '--connections: expected one number; got 1,2'],
    [{ seconds: 'long' }, '--seconds: expected a number'],
    [{ databases: 'postgres,oracle' }, 'expected some of postgres, mariadb, sqlite; got oracle'],
    [{ only: 'reads' }, '--only: expected some of pages, writes; got reads'],
    [{ setups: 'replica' }, '--setups: expected some of primary, feed, '],
    [{ lists: 'long' }, '--lists: expected some of whole, several, '],
    [{ written: 'this' }, '--written: expected some of nothing, another server, '],
    [{ pages: '' }, '--pages: expected some of first, middle, last; got '],
  ])('such as %o are refused', ([flags, message]) => {
    expect(() => readOptions(flags, '')).toThrow(message);
  });
});
