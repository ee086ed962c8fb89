import type { Relation } from '../../catalogue/relation.ts';
import { withDeadline } from '../../deadline.ts';
import type { PageRange, QueryStatements, RowsStatement } from '../../sql/query-statements.ts';
import type { Statement } from '../../sql/statement.ts';
import type { PoolLimits } from '../connection-pool.ts';
import type { PageRows, QueryPage, ReadCall, RowsRead, Source } from '../source.ts';
import { batchShape, pageShape, rowsShape, WHOLE_RELATION } from '../statement-shape.ts';
import { Database } from './database.ts';
import { mysqlDialect } from './dialect.ts';
import { introspect } from './introspect.ts';
import { readBatch, readPage } from './read-page.ts';
import type { Work } from './running-work.ts';
import { readCount, readRows } from './snapshot.ts';
import { readMysqlUrl } from './url.ts';
import { accountWarnings } from './warnings.ts';

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
  return new MysqlSource(await Database.open(readMysqlUrl(url), limits));
}

class MysqlSource implements Source {
  readonly dialect = mysqlDialect;
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  introspect(): Promise<Relation[]> {
    return this.#askOnce(introspect);
  }

  readPage(query: QueryStatements, range: PageRange, call: ReadCall): Promise<PageRows> {
    const shaped = { ...call, shape: pageShape({ query, range }) };
    return this.#database.ask((connection) => readPage(connection, query, range), shaped);
  }

  readBatch(pages: readonly QueryPage[], call: ReadCall): Promise<PageRows[]> {
    const shaped = { ...call, shape: batchShape(pages) };
    return this.#database.ask((connection) => readBatch(connection, pages), shaped);
  }

  readRows(rows: RowsStatement, call: ReadCall): Promise<RowsRead> {
    const shaped = { ...call, shape: rowsShape(rows) };
    return this.#database.ask((connection) => readRows(connection, rows), shaped);
  }

  count(count: Statement, call: ReadCall): Promise<bigint> {
    const shaped = { ...call, shape: WHOLE_RELATION };
    return this.#database.ask((connection) => readCount(connection, count), shaped);
  }

  warnings(): Promise<string[]> {
    return this.#askOnce(accountWarnings);
  }

  async ping(): Promise<void> {
    await this.#askOnce((connection) => connection.command('do 0'));
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #askOnce<Value>(work: Work<Value>): Promise<Value> {
    return withDeadline(HOUSEKEEPING, (call) => this.#database.ask(work, call));
  }
}
