import type { Relation } from '../../catalogue/relation.ts';
import { withDeadline } from '../../deadline.ts';
import type { FacetStatements } from '../../sql/facet-statements.ts';
import type {
  KeysStatement,
  PageRange,
  QueryStatements,
  RecordPageStatement,
  RelationPath,
  RowsStatement,
  WholeListStatements,
} from '../../sql/query-statements.ts';
import type { Statement } from '../../sql/statement.ts';
import type { PoolLimits } from '../connection-pool.ts';
import type { LogState } from '../log-position.ts';
import { exportLimits, SERVER_LIMITS } from '../pool-limits.ts';
import type {
  AskedRecord,
  BoundedPage,
  BoundedRows,
  FacetsRead,
  KeysRead,
  PageRows,
  QueryPage,
  ReadCall,
  RecordReading,
  RecordRows,
  RowsRead,
  Snapshot,
  SortEstimate,
  Source,
  Versioned,
} from '../source.ts';
import {
  batchShape,
  boundedShape,
  facetsShape,
  pageShape,
  rowsShape,
  WHOLE_RELATION,
} from '../statement-shape.ts';
import type { ListCall, ListSink } from '../whole-list.ts';
import type { Connection } from './connection.ts';
import { Database } from './database.ts';
import { mysqlDialect } from './dialect.ts';
import { introspect } from './introspect.ts';
import { askLogState, logStateOf } from './log-state.ts';
import { GTID_POSITIONS } from './positions.ts';
import { estimateSort, readKeys } from './read-keys.ts';
import { readFacets } from './read-facets.ts';
import { readBounded } from './read-bounded.ts';
import { readList } from './read-list.ts';
import {
  readBatch,
  readPage,
  readRecord,
  readRecordPage,
  readTogether,
  readVersionedRows,
  type Session,
} from './read-page.ts';
import type { Work } from './running-work.ts';
import { readCount } from './snapshot.ts';
import { readMysqlUrl } from './url.ts';
import { accountWarnings } from './warnings.ts';

/** Reading the schema or answering a ping waits so long at most. */
const HOUSEKEEPING = { timeoutMs: 10_000 };

/** A version that takes longer is worth less than a page. */
const VERSION_CHECK = { timeoutMs: 1000 };

/**
 * Connects to a MySQL or MariaDB server.
 *
 * @throws {SettingsError} when the URL is no good or the server refuses it
 * @throws {QueryFailedError} when the server does not answer
 */
export async function openMysql(
  url: string,
  limits: PoolLimits = SERVER_LIMITS,
  exports: PoolLimits = exportLimits(),
): Promise<Source> {
  return new MysqlSource(await Database.open(readMysqlUrl(url), limits), { limits, exports });
}

/** How many connections there are for pages, and for whole lists. */
interface MysqlPools {
  readonly limits: PoolLimits;
  readonly exports: PoolLimits;
}

class MysqlSource implements Source {
  readonly dialect = mysqlDialect;
  readonly positions = GTID_POSITIONS;
  readonly #database: Database;
  /** Checks of the version must not wait behind pages. */
  readonly #checks: Database;
  /** Pages must not wait behind an index that is being built. */
  readonly #background: Database;
  /** Nor behind a whole list. */
  readonly #lists: Database;
  /** The relations that were found to be versioned. */
  #versioned: ReadonlySet<string> = new Set();

  constructor(database: Database, { limits, exports }: MysqlPools) {
    this.#database = database;
    this.#checks = database.withOwnPool({ ...limits, connections: 1 });
    this.#background = database.withOwnPool({ ...limits, connections: 1 });
    this.#lists = database.withOwnPool(exports);
  }

  async introspect(): Promise<Relation[]> {
    const relations = await this.#askOnce(introspect);
    const versioned = relations.filter((relation) => relation.versioned === true);
    this.#versioned = new Set(versioned.map(({ path }) => JSON.stringify(path)));
    return relations;
  }

  readPage(query: QueryStatements, range: PageRange, call: ReadCall): Promise<PageRows> {
    const page = { query, range };
    const shaped = { ...call, shape: pageShape(page) };
    return this.#database.ask((connection) => readPage(this.#session(connection), page), shaped);
  }

  readBatch(pages: readonly QueryPage[], call: ReadCall): Promise<PageRows[]> {
    const shaped = { ...call, shape: batchShape(pages) };
    return this.#database.ask((connection) => readBatch(this.#session(connection), pages), shaped);
  }

  readBounded(page: BoundedPage, call: ReadCall): Promise<BoundedRows> {
    const shaped = { ...call, shape: boundedShape(page) };
    return this.#database.ask((connection) => readBounded(this.#session(connection), page), shaped);
  }

  readRecord(asked: AskedRecord, call: ReadCall): Promise<RecordReading> {
    const read = (connection: Connection): Promise<RecordReading> =>
      readRecord(this.#session(connection), asked);
    return this.#database.ask(read, call);
  }

  readTogether<Read extends Versioned>(
    query: QueryStatements,
    work: (snapshot: Snapshot) => Promise<Read>,
    call: ReadCall,
  ): Promise<Read> {
    const read = (connection: Connection): Promise<Read> =>
      readTogether(this.#session(connection), query, work);
    return this.#database.ask(read, call);
  }

  readRecordPage(page: RecordPageStatement, call: ReadCall): Promise<RecordRows> {
    const shaped = { ...call, shape: WHOLE_RELATION };
    return this.#database.ask((connection) => readRecordPage(connection, page), shaped);
  }

  readFacets(facets: FacetStatements, call: ReadCall): Promise<FacetsRead> {
    const shaped = { ...call, shape: facetsShape(facets) };
    return this.#database.ask(
      (connection) => readFacets(this.#session(connection), facets),
      shaped,
    );
  }

  readRows(rows: RowsStatement, call: ReadCall): Promise<RowsRead> {
    const shaped = { ...call, shape: rowsShape(rows) };
    const read = (connection: Connection): Promise<RowsRead> =>
      readVersionedRows(this.#session(connection), rows);
    return this.#database.ask(read, shaped);
  }

  count(count: Statement, call: ReadCall): Promise<bigint> {
    const shaped = { ...call, shape: WHOLE_RELATION };
    return this.#database.ask((connection) => readCount(connection, count), shaped);
  }

  readList(list: WholeListStatements, sink: ListSink, call: ListCall): Promise<void> {
    const read = (connection: Connection): Promise<void> =>
      readList(this.#session(connection), { list, sink, call });
    return this.#lists.ask(read, call);
  }

  readKeys(keys: KeysStatement, call: ReadCall): Promise<KeysRead> {
    const read = (connection: Connection): Promise<KeysRead> =>
      readKeys(this.#session(connection), keys);
    return this.#background.ask(read, call);
  }

  estimateSort(keys: KeysStatement, call: ReadCall): Promise<SortEstimate> {
    const estimate = (connection: Connection): Promise<SortEstimate> =>
      estimateSort(connection, keys);
    return this.#background.ask(estimate, call);
  }

  version(): Promise<string | undefined> {
    const { versions } = this.#checks;
    return withDeadline(VERSION_CHECK, (call) =>
      this.#checks.ask((connection) => versions.current(connection), call),
    );
  }

  async logState(): Promise<LogState> {
    return logStateOf(
      await withDeadline(VERSION_CHECK, (call) => this.#checks.ask(askLogState, call)),
    );
  }

  shared(version: string): string {
    return version.slice(version.indexOf('/') + 1);
  }

  warnings(): Promise<string[]> {
    return this.#askOnce(accountWarnings);
  }

  async ping(): Promise<void> {
    await this.#askOnce((connection) => connection.command('do 0'));
  }

  async close(): Promise<void> {
    const databases = [this.#checks, this.#background, this.#lists, this.#database];
    await Promise.all(databases.map((database) => database.close()));
  }

  #session(connection: Connection): Session {
    const { versions } = this.#database;
    const isVersioned = (relation: RelationPath): boolean =>
      this.#versioned.has(JSON.stringify(relation));
    return { connection, versions, isVersioned };
  }

  #askOnce<Value>(work: Work<Value>): Promise<Value> {
    return withDeadline(HOUSEKEEPING, (call) => this.#database.ask(work, call));
  }
}
