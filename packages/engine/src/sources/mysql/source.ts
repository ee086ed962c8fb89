import { withDeadline } from '../../deadline.ts';
import type { PoolLimits } from '../connection-pool.ts';
import type { Source } from '../source.ts';
import { Database } from './database.ts';
import { mysqlDialect } from './dialect.ts';
import { accountWarnings } from './warnings.ts';
import { introspect } from './introspect.ts';
import { readBatch, readPage } from './read-page.ts';
import { readCount, readRows } from './snapshot.ts';
import type { Work } from './running-work.ts';
import { readMysqlUrl } from './url.ts';

const LIMITS: PoolLimits = { connections: 10, maxWaiting: 1000, maxWaitMs: 2000 };

/** Reading the schema or answering a ping waits so long at most. */
const HOUSEKEEPING = { timeoutMs: 10_000 };

/**
 * Connects to a MySQL or MariaDB server.
 *
 * @throws {SettingsError} when the URL is no good or the server refuses it
 * @throws {QueryFailedError} when the server does not answer
 */
export async function openMysql(url: string, limits: PoolLimits = LIMITS): Promise<Source> {
  const database = await Database.open(readMysqlUrl(url), limits);
  const once = <Value>(work: Work<Value>): Promise<Value> =>
    withDeadline(HOUSEKEEPING, (call) => database.ask(work, call));
  return {
    dialect: mysqlDialect,
    introspect: () => once(introspect),
    readPage: (query, range, call) =>
      database.ask((connection) => readPage(connection, query, range), call),
    readBatch: (pages, call) => database.ask((connection) => readBatch(connection, pages), call),
    readRows: (rows, call) => database.ask((connection) => readRows(connection, rows), call),
    count: (count, call) => database.ask((connection) => readCount(connection, count), call),
    warnings: () => once(accountWarnings),
    ping: async () => {
      await once((connection) => connection.command('do 0'));
    },
    close: () => database.close(),
  };
}
