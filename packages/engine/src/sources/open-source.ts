import { stat } from 'node:fs/promises';

import { SettingsError } from '../errors.ts';
import { exportLimits, SERVER_LIMITS, shareOf } from './pool-limits.ts';
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
  const open = OPENERS.get(schemeOf(url));
  if (open === undefined) {
    const known = [...OPENERS.keys()].map((name) => `${name}:`);
    throw new SettingsError(
      `database: expected a URL that begins with ${known.join(' or ')}, ` +
        'such as sqlite:/data/shop.db.',
    );
  }
  if (settings.follow !== undefined && !canFollow(url)) throw new SettingsError(CANNOT_FOLLOW);
  return open(url, settings);
}

/** Whether the changes of the database that a URL names can be followed. */
export function canFollow(url: string): boolean {
  return OPENERS.get(schemeOf(url)) === openPostgresUrl;
}

/**
 * Whether the database that a URL names is a server, which may start later than whoever asks it. A
 * file that is not there does not come by waiting.
 */
export function isDatabaseServer(url: string): boolean {
  const open = OPENERS.get(schemeOf(url));
  return open !== undefined && open !== openSqliteUrl;
}

/** Whether a database can have replicas, and this URL can be the one of theirs. */
export function canReplicate(database: string, replica = database): boolean {
  return (
    isDatabaseServer(database) && OPENERS.get(schemeOf(replica)) === OPENERS.get(schemeOf(database))
  );
}

const CANNOT_FOLLOW = 'follow: only changes of a PostgreSQL server can be followed. Leave it out.';

function schemeOf(url: string): string {
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):/i.exec(url) ?? [];
  return scheme.toLowerCase();
}

async function openPostgresUrl(
  url: string,
  { pooler = 'auto', queryTimeoutMs = 10_000, isReplica, ...settings }: SourceSettings,
): Promise<Source> {
  const { openPostgres } = await import('./postgres/source.ts');
  const { follow, processes, exports } = settings;
  return openPostgres(url, {
    pooler,
    queryTimeoutMs,
    follow,
    processes,
    limits: shareOf(SERVER_LIMITS, processes),
    exports: exportLimits(exports, processes),
    isReplica: isReplica === true,
  });
}

async function openMysqlUrl(url: string, { processes, exports }: SourceSettings): Promise<Source> {
  const { openMysql } = await import('./mysql/source.ts');
  const limits = shareOf(SERVER_LIMITS, processes);
  return openMysql(url, limits, exportLimits(exports, processes));
}

async function openSqliteUrl(url: string, { processes, exports }: SourceSettings): Promise<Source> {
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
  return openSqlite(path, { processes, exports });
}
