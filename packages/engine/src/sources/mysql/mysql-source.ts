import type { PoolLimits } from '../connection-pool.ts';
import type { ReadCall, Source } from '../source.ts';
import { Database } from './database.ts';
import { mysqlDialect } from './dialect.ts';
import { accountWarnings } from './grants.ts';
import { introspect } from './introspect.ts';
import { readCount, readPage, readBatch, readRows } from './read-page.ts';
import { readMysqlUrl } from './url.ts';

const LIMITS: PoolLimits = { connections: 10, maxWaiting: 1000, maxWaitMs: 2000 };

/** Reading the schema or answering a ping waits so long at most. */
const HOUSEKEEPING: ReadCall = { signal: undefined, timeoutMs: 10_000 };

/**
 * Connects to a MySQL or MariaDB server.
 *
 * @throws {SettingsError} when the URL is no good or the server refuses it
 * @throws {QueryFailedError} when the server does not answer
 */
export async function openMysql(url: string, limits: PoolLimits = LIMITS): Promise<Source> {
  const database = await Database.open(readMysqlUrl(url), limits);
  return {
    dialect: mysqlDialect,
    introspect: () => database.ask(introspect, HOUSEKEEPING),
    readPage: (query, range, call) =>
      database.ask((connection) => readPage(connection, query, range), call),
    readBatch: (pages, call) => database.ask((connection) => readBatch(connection, pages), call),
    readRows: (rows, call) => database.ask((connection) => readRows(connection, rows), call),
    count: (count, call) => database.ask((connection) => readCount(connection, count), call),
    warnings: () => database.ask(accountWarnings, HOUSEKEEPING),
    ping: async () => {
      await database.ask((connection) => connection.command('do 0'), HOUSEKEEPING);
    },
    close: () => database.close(),
  };
}
