import { stat } from 'node:fs/promises';

import { SettingsError } from '../errors.ts';
import { exportLimits, SERVER_LIMITS, shareOf } from './pools/pool-limits.ts';
import type { SourceSettings } from './source-settings.ts';
import type { Source } from './source.ts';

type Opener = (url: string, settings: SourceSettings) => Promise<Source>;

/** A kind of database. */
interface DatabaseKind {
  /** Loads the driver, too. */
  readonly open: Opener;
  /** Whether it may start later than whoever asks it. A file that is missing does not come. */
  readonly isServer: boolean;
  readonly canFollow: boolean;
  readonly canReplicate: boolean;
  /** Whether it can read as a caller. */
  readonly hasSessions: boolean;
}

const SQLITE: DatabaseKind = {
  open: openSqliteUrl,
  isServer: false,
  canFollow: false,
  canReplicate: false,
  hasSessions: false,
};
const POSTGRES: DatabaseKind = {
  open: openPostgresUrl,
  isServer: true,
  canFollow: true,
  canReplicate: true,
  hasSessions: true,
};
const MYSQL: DatabaseKind = { ...SQLITE, open: openMysqlUrl, isServer: true, canReplicate: true };

/** Which databases there are, by the scheme of their URL. */
const DATABASES: ReadonlyMap<string, DatabaseKind> = new Map([
  ['sqlite', SQLITE],
  ['postgres', POSTGRES],
  ['postgresql', POSTGRES],
  ['mysql', MYSQL],
  ['mariadb', MYSQL],
]);

/**
 * Opens the database that a URL names.
 *
 * @throws {SettingsError} when the URL names no database that can be opened; the message says what
 *   would.
 */
export async function openSource(url: string, settings: SourceSettings = {}): Promise<Source> {
  const kind = kindOf(url);
  if (kind === undefined) {
    const known = [...DATABASES.keys()].map((name) => `${name}:`);
    throw new SettingsError(
      `database: expected a URL that begins with ${known.join(' or ')}, ` +
        'such as sqlite:/data/shop.db.',
    );
  }
  if (settings.follow !== undefined && !kind.canFollow) throw new SettingsError(CANNOT_FOLLOW);
  return kind.open(url, settings);
}

/** Whether the changes of the database that a URL names can be followed. */
export function canFollow(url: string): boolean {
  return kindOf(url)?.canFollow === true;
}

/** Whether the database that a URL names can read as a caller. */
export function hasDatabaseSessions(url: string): boolean {
  return kindOf(url)?.hasSessions === true;
}

/** Whether the database that a URL names is a server, for which one may wait. */
export function isDatabaseServer(url: string): boolean {
  return kindOf(url)?.isServer === true;
}

/** Whether a database can have replicas, and this URL can be the one of theirs. */
export function canReplicate(database: string, replica = database): boolean {
  const kind = kindOf(database);
  return kind?.canReplicate === true && kindOf(replica) === kind;
}

const CANNOT_FOLLOW = 'follow: only changes of a PostgreSQL server can be followed. Leave it out.';

function kindOf(url: string): DatabaseKind | undefined {
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):/i.exec(url) ?? [];
  return DATABASES.get(scheme.toLowerCase());
}

async function openPostgresUrl(
  url: string,
  { pooler = 'auto', queryTimeoutMs = 10_000, isReplica, ...settings }: SourceSettings,
): Promise<Source> {
  const { openPostgres } = await import('./postgres/source.ts');
  const { follow, processes, exports, replyMemory, cluster } = settings;
  return openPostgres(url, {
    pooler,
    queryTimeoutMs,
    follow,
    // A standby of one server shows no state of the others.
    cluster: isReplica === true ? { cut: 'none' } : cluster,
    processes,
    limits: { ...shareOf(SERVER_LIMITS, processes), replyMemory },
    exports: exportLimits(exports, processes),
    isReplica: isReplica === true,
  });
}

async function openMysqlUrl(
  url: string,
  { processes, exports, replyMemory }: SourceSettings,
): Promise<Source> {
  const { openMysql } = await import('./mysql/source.ts');
  const limits = { ...shareOf(SERVER_LIMITS, processes), replyMemory };
  return openMysql(url, limits, exportLimits(exports, processes));
}

async function openSqliteUrl(
  url: string,
  { processes, exports, replyMemory }: SourceSettings,
): Promise<Source> {
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
  return openSqlite(path, { processes, exports, replyMemory });
}
