import { stat } from 'node:fs/promises';

import { SettingsError } from '../errors.ts';
import { openMysql } from './mysql/mysql-source.ts';
import { openPostgres } from './postgres/postgres-source.ts';
import type { Source } from './source.ts';
import { openSqlite } from './sqlite/sqlite-source.ts';
import { withShapes } from './with-shapes.ts';

type Opener = (url: string) => Promise<Source>;

/** Which databases there are, by the scheme of their URL. */
const OPENERS: ReadonlyMap<string, Opener> = new Map([
  ['sqlite', openSqliteUrl],
  ['postgres', openPostgres],
  ['postgresql', openPostgres],
  ['mysql', openMysql],
  ['mariadb', openMysql],
]);

/**
 * Opens the database that a URL names.
 *
 * @throws {SettingsError} when the URL names no database that can be opened; the message says what would.
 */
export async function openSource(url: string): Promise<Source> {
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):/i.exec(url) ?? [];
  const open = OPENERS.get(scheme.toLowerCase());
  if (open === undefined) {
    const known = [...OPENERS.keys()].map((name) => `${name}:`);
    throw new SettingsError(`database: expected a URL that begins with ${known.join(' or ')}, such as sqlite:/data/shop.db.`);
  }
  return withShapes(await open(url));
}

async function openSqliteUrl(url: string): Promise<Source> {
  const path = url.replace(/^sqlite:(\/\/)?/i, '');
  const file = await stat(path).catch(() => undefined);
  if (file?.isFile() !== true) {
    throw new SettingsError(
      `database: no file is at ${path || '(empty path)'}. Give the path of a SQLite file: sqlite:/data/shop.db.`,
    );
  }
  return openSqlite(path);
}
