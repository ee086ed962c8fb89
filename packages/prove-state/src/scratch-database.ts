import { SettingsError } from '@proj/engine';

import type { ScratchDatabase } from './scratch-session.ts';

/** @throws {SettingsError} when the URL is of an unknown kind of database */
export async function scratchDatabase(url: string): Promise<ScratchDatabase> {
  const [scheme] = url.split(':');
  if (scheme === 'postgres' || scheme === 'postgresql')
    return (await import('./postgres-session.ts')).postgresDatabase(url);
  if (scheme === 'mysql' || scheme === 'mariadb')
    return (await import('./mysql-session.ts')).mysqlDatabase(url);
  if (scheme === 'sqlite') return (await import('./sqlite-session.ts')).sqliteDatabase(url);
  throw new SettingsError('database: nothing can be proved there. Name a database by its URL.');
}
