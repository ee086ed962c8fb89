import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { databaseFile, directory } from '../../sqlite/test/database-file.ts';
import { DATABASE_KINDS } from './kinds.ts';
import { children } from './reader-processes.ts';
import { SettingsError } from '../../engine/src/errors.ts';
import { openSource } from '../../engine/src/sources/database-kind.ts';

async function refusalOf(url: string): Promise<unknown> {
  try {
    await openSource(url, DATABASE_KINDS);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('a database URL', () => {
  it.each([
    '',
    'shop.db',
    '/data/shop.db',
    'oracle://host/x',
    '__proto__:x',
    'constructor:x',
    ':sqlite',
    ' sqlite:x',
  ])('without a known scheme is refused with an example: %j', async (url) => {
    const error = await refusalOf(url);
    expect(error).toBeInstanceOf(SettingsError);
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /^database: expected a URL that begins with .*sqlite:/,
      ) as string,
    });
  });

  it.each(['sqlite:', 'sqlite://', 'sqlite:/nowhere/at/all.db'])(
    'of a missing file is refused with its path: %s',
    async (url) => {
      const error = await refusalOf(url);
      expect(error).toBeInstanceOf(SettingsError);
      expect(error).toMatchObject({
        message: expect.stringMatching(
          /^database: no file is at (\(empty path\)|\/nowhere\/at\/all\.db)\. /,
        ) as string,
      });
    },
  );

  it('of a database whose changes cannot be followed is refused with `follow`', async () => {
    const path = databaseFile('create table t (id integer primary key)');
    await expect(openSource(`sqlite:${path}`, DATABASE_KINDS, { follow: true })).rejects.toThrow(
      new SettingsError('follow: the changes of this database cannot be followed. Leave it out.'),
    );
  });

  it('of a directory is refused', async () => {
    const path = join(directory, 'directory.db');
    mkdirSync(path);
    expect(await refusalOf(`sqlite:${path}`)).toMatchObject({
      message: expect.stringContaining(`no file is at ${path}`) as string,
    });
  });

  it.each(['sqlite:', 'sqlite://', 'SQLite:'])(
    'may be written with %s before the path',
    async (scheme) => {
      const source = await openSource(
        `${scheme}${databaseFile('create table t (id integer primary key)')}`,
        DATABASE_KINDS,
      );
      expect((await source.introspect()).map(({ name }) => name)).toEqual(['t']);
      await source.close();
    },
  );

  it('that is refused starts no process', async () => {
    const started = children.length;
    await refusalOf('sqlite:/nowhere/at/all.db');
    expect(children).toHaveLength(started);
  });
});
