import { stat } from 'node:fs/promises';

import { SettingsError } from '../errors.ts';
import type { SourceSettings } from './source-settings.ts';
import type { Source } from './source.ts';

type Opener = (url: string, settings: SourceSettings) => Promise<Source>;

/**
 * Which databases there are, by the scheme of their URL. A driver is loaded only for a database
 * that is opened.
 */
const OPENERS: ReadonlyMap<string, Opener> = new Map([
  ['sqlite', openSqliteUrl],
  ['postgres', openPostgresUrl],
  ['postgresql', openPostgresUrl],
  ['mysql', openMysqlUrl],
  ['mariadb', openMysqlUrl],
]);

/**
 * Opens the database that a URL names.
 *
 * @throws {SettingsError} when the URL names no database that can be opened; the message says what
 *   would.
 */
export async function openSource(url: string, settings: SourceSettings = {}): Promise<Source> {
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):/i.exec(url) ?? [];
  const open = OPENERS.get(scheme.toLowerCase());
  if (open === undefined) {
    const known = [...OPENERS.keys()].map((name) => `${name}:`);
    throw new SettingsError(
      `database: expected a URL that begins with ${known.join(' or ')}, ` +
        'such as sqlite:/data/shop.db.',
    );
  }
  return open(url, settings);
}

async function openPostgresUrl(
  url: string,
  { pooler = 'auto', queryTimeoutMs = 10_000 }: SourceSettings,
): Promise<Source> {
  const { openPostgres } = await import('./postgres/source.ts');
  return openPostgres(url, { pooler, queryTimeoutMs });
}

async function openMysqlUrl(url: string): Promise<Source> {
  const { openMysql } = await import('./mysql/source.ts');
  return openMysql(url);
}

async function openSqliteUrl(url: string): Promise<Source> {
  const path = url.replace(/^sqlite:(\/\/)?/i, '');
  const file = await stat(path).catch(() => undefined);
  if (file?.isFile() !== true) {
    throw new SettingsError(
      `database: no file is at ${path || '(empty path)'}. Give the path of a SQLite file: ` +
        'sqlite:/data/shop.db.',
    );
  }
  if (file.size === 0) {
    throw new SettingsError(
      `database: ${path} is empty: nobody has made a database of it yet. ` +
        'Create its tables first, or give the path of the file that your application writes ' +
        'to.',
    );
  }
  const { openSqlite } = await import('./sqlite/source.ts');
  return openSqlite(path);
}
