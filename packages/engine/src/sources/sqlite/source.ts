import { availableParallelism } from 'node:os';

import type { Relation } from '../../catalogue/relation.ts';
import { withDeadline } from '../../deadline.ts';
import { QueryFailedError } from '../../errors.ts';
import type { FacetStatements } from '../../sql/facet-statements.ts';
import type {
  KeysStatement,
  PageRange,
  QueryStatements,
  RowsStatement,
  WholeListStatements,
} from '../../sql/query-statements.ts';
import type { Statement } from '../../sql/statement.ts';
import type { PoolLimits } from '../connection-pool.ts';
import { exportLimits, shareOf } from '../pool-limits.ts';
import type { SourceSettings } from '../source-settings.ts';
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
import { Database } from './database.ts';
import { sqliteDialect } from './dialect.ts';
import type { ReaderMessage, ReaderRequest, ReaderValues } from './reader-protocol.ts';
import { withStoredForms } from './stored-forms.ts';
import { FileVersion } from './version.ts';

const LIMITS: PoolLimits = {
  connections: Math.max(2, Math.min(8, availableParallelism())),
  maxWaiting: 1000,
  maxWaitMs: 2000,
};

/** Reading the schema takes so long at most. */
const SCHEMA = { timeoutMs: 10_000 };

/**
 * A ping takes so long at most: longer than it waits for a reader, and than a reader waits for a
 * lock.
 */
const PING = { timeoutMs: 3000 };

/** What a reader found, and the version of the file that it is of. */
interface Found<Kind extends ReaderRequest['kind']> {
  readonly value: ReaderValues[Kind];
  readonly version: string | undefined;
}

/**
 * Opens a SQLite file for reading. The file is opened by reader processes, read-only, and is never
 * created.
 *
 */
export function openSqlite(
  path: string,
  { processes, exports }: Pick<SourceSettings, 'processes' | 'exports'> = {},
): Source {
  const limits = shareOf(LIMITS, processes);
  return new SqliteSource(path, { limits, exports: exportLimits(exports, processes) });
}

/** How many readers there are for pages, and for whole lists. */
interface SqlitePools {
  readonly limits: PoolLimits;
  readonly exports: PoolLimits;
}

class SqliteSource implements Source {
  readonly dialect = sqliteDialect;
  readonly readsHoldUpWrites = true;
  readonly #path: string;
  readonly #database: Database;
  readonly #version: FileVersion;
  /** Pages must not wait behind an index that is being built; started when one is. */
  #background: Database | undefined;
  /** Nor behind a whole list; started when one is read. */
  #lists: Database | undefined;
  readonly #exports: PoolLimits;

  constructor(path: string, { limits, exports }: SqlitePools) {
    this.#path = path;
    this.#exports = exports;
    this.#database = new Database(path, limits);
    this.#version = new FileVersion(path);
  }

  async introspect(): Promise<Relation[]> {
    const { value } = await withDeadline(SCHEMA, (call) => this.#ask({ kind: 'introspect' }, call));
    return value;
  }

  sample(relations: readonly Relation[]): Promise<Relation[]> {
    return withStoredForms(relations, (statement) => this.#readJson(statement));
  }

  async readPage(query: QueryStatements, range: PageRange, call: ReadCall): Promise<PageRows> {
    const page = { query, range };
    const shaped = { ...call, shape: pageShape(page) };
    const { value, version } = await this.#ask({ kind: 'page', page }, shaped);
    return { ...value, version };
  }

  async readBatch(pages: readonly QueryPage[], call: ReadCall): Promise<PageRows[]> {
    const shaped = { ...call, shape: batchShape(pages) };
    const { value, version } = await this.#ask({ kind: 'batch', pages }, shaped);
    return value.map((page) => ({ ...page, version }));
  }

  async readBounded(page: BoundedPage, call: ReadCall): Promise<BoundedRows> {
    const shaped = { ...call, shape: boundedShape(page) };
    const { value, version } = await this.#ask({ kind: 'bounded', page }, shaped);
    return { ...value, version };
  }

  async readRecord(asked: AskedRecord, call: ReadCall): Promise<RecordReading> {
    const { value, version } = await this.#ask({ kind: 'record', asked }, call);
    return { ...value, version };
  }

  /** A snapshot that is held between messages would keep writers waiting for us. */
  async readTogether<Read extends Versioned>(
    _query: QueryStatements,
    work: (snapshot: Snapshot) => Promise<Read>,
    call: ReadCall,
  ): Promise<Read> {
    const versions = new Set<string | undefined>();
    const ask = async <Kind extends 'rows' | 'row' | 'count'>(
      request: Extract<ReaderRequest, { kind: Kind }>,
    ): Promise<ReaderValues[Kind]> => {
      const { value, version } = await this.#ask(request, call);
      versions.add(version);
      return value;
    };
    const read = await work({
      rows: (rows) => ask({ kind: 'rows', rows }),
      row: (row) => ask({ kind: 'row', row }),
      count: (count) => ask({ kind: 'count', count }),
      version: async () => undefined,
    });
    const [version] = versions;
    return { ...read, version: versions.size === 1 ? version : undefined };
  }

  async readFacets(facets: FacetStatements, call: ReadCall): Promise<FacetsRead> {
    const shaped = { ...call, shape: facetsShape(facets) };
    const { value, version } = await this.#ask({ kind: 'facets', facets }, shaped);
    return { ...value, version };
  }

  async readRows(rows: RowsStatement, call: ReadCall): Promise<RowsRead> {
    const shaped = { ...call, shape: rowsShape(rows) };
    const { value, version } = await this.#ask({ kind: 'rows', rows }, shaped);
    return { ...value, version };
  }

  async readList(list: WholeListStatements, sink: ListSink, call: ListCall): Promise<void> {
    let before: string | undefined;
    const compose = (): ReaderMessage => {
      const { version, generation } = this.#version.look();
      before = version;
      return { generation, request: { kind: 'list', list } };
    };
    await this.#listReaders().ask(compose, call, async (progress) => {
      if ('lines' in progress) return sink.write(progress.lines);
      const { total, versioned } = progress;
      const { version } = this.#version.look();
      return sink.begin({ total, version: versioned && version === before ? version : undefined });
    });
  }

  holdsUpWritesNow(): boolean {
    return !this.#version.isInWalMode;
  }

  async readKeys(keys: KeysStatement, call: ReadCall): Promise<KeysRead> {
    const { value: rows, version } = await this.#askBehind({ kind: 'keys', keys }, call);
    return { rows, version };
  }

  async estimateSort(keys: KeysStatement, call: ReadCall): Promise<SortEstimate> {
    const { value } = await this.#askBehind({ kind: 'sort', keys }, call);
    return value;
  }

  async count(count: Statement, call: ReadCall): Promise<bigint> {
    const { value } = await this.#ask({ kind: 'count', count }, { ...call, shape: WHOLE_RELATION });
    return value;
  }

  async version(): Promise<string | undefined> {
    return this.#version.read();
  }

  async ping(): Promise<void> {
    const pinged = withDeadline(PING, (call) => this.#ask({ kind: 'ping' }, call));
    await pinged.catch((error: unknown) => {
      throw this.#isSilent(error)
        ? new QueryFailedError('database_unavailable', 'No reader process answers.')
        : error;
    });
  }

  async close(): Promise<void> {
    const databases = [this.#database, this.#background, this.#lists];
    await Promise.all(databases.map(async (database) => database?.close()));
    this.#version.close();
  }

  #listReaders(): Database {
    this.#lists ??= new Database(this.#path, { ...this.#exports, minConnections: 0 });
    return this.#lists;
  }

  #ask<Kind extends ReaderRequest['kind']>(
    request: Extract<ReaderRequest, { kind: Kind }>,
    call: ReadCall,
  ): Promise<Found<Kind>> {
    return this.#askOf(this.#database, request, call);
  }

  #askBehind<Kind extends 'keys' | 'sort'>(
    request: Extract<ReaderRequest, { kind: Kind }>,
    call: ReadCall,
  ): Promise<Found<Kind>> {
    this.#background ??= new Database(this.#path, { ...LIMITS, connections: 1 });
    return this.#askOf(this.#background, request, call);
  }

  /**
   * What was read is of a version that held before the reading began and still holds when it is
   * done, if its rows change only with the file.
   */
  async #askOf<Kind extends ReaderRequest['kind']>(
    database: Database,
    request: Extract<ReaderRequest, { kind: Kind }>,
    call: ReadCall,
  ): Promise<Found<Kind>> {
    let before: string | undefined;
    const compose = (): ReaderMessage => {
      const { version, generation } = this.#version.look();
      before = version;
      return { generation, request };
    };
    const { value, versioned } = await database.ask(compose, call);
    const { version } = this.#version.look();
    return {
      value: value as ReaderValues[Kind],
      version: versioned && version === before ? version : undefined,
    };
  }

  /** Columns that cannot be sampled in time have no stored forms. */
  async #readJson(statement: Statement): Promise<string | undefined> {
    const bindings = { size: 1, offset: 0n };
    const rows = { relation: [], statement, bindings, fields: [], reversed: false, maxBytes: 0 };
    try {
      const { value } = await withDeadline(SCHEMA, (call) =>
        this.#ask({ kind: 'rows', rows }, call),
      );
      return value.json;
    } catch {
      return undefined;
    }
  }

  /**
   * Readers that are busy do run; those that were stopped, or hang in the operating system, do not.
   */
  #isSilent(error: unknown): boolean {
    if (!(error instanceof QueryFailedError)) return false;
    return (
      error.code === 'query_timeout' || (error.code === 'overloaded' && !this.#database.isRunning)
    );
  }
}
