import {
  type Asked,
  Deadlines,
  type Found,
  type Lists,
  type OwnReads,
  Pools,
  type Read,
  type ReadCall,
  type ReadKind,
  Reads,
  type Relation,
  type RelationPath,
  type ServerLog,
  type Snapshot,
  type SnapshotTerms,
  type Source,
  type Versioned,
  type WholeListStatements,
} from '@proj/engine/database';

import type { Connection } from './connection/connection.ts';
import { Database } from './database.ts';
import { mysqlDialect } from './dialect.ts';
import { introspect } from './introspection/introspect.ts';
import { askLogState, logStateOf } from './replicas/log-state.ts';
import { GTID_POSITIONS } from './replicas/positions.ts';
import { estimateSort, readKeys } from './reads/read-keys.ts';
import { readFacets } from './facets/read-facets.ts';
import { readBounded } from './reads/read-bounded.ts';
import { readList } from './reads/read-list.ts';
import {
  readBatch,
  readPage,
  readRecordPage,
  readTogether,
  readVersionedRows,
  type Session,
} from './reads/read-page.ts';
import type { Work } from './connection/running-work.ts';
import { readCount } from './reads/snapshot.ts';
import { readMysqlUrl } from './connection/url.ts';
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
  limits: Pools.PoolLimits = Pools.SERVER_LIMITS,
  exports: Pools.PoolLimits = Pools.exportLimits(),
): Promise<Source> {
  return new MysqlSource(await Database.open(readMysqlUrl(url), limits), limits, exports);
}

type Answers = {
  readonly [Kind in ReadKind]: (session: Session, asked: Asked<Kind>) => Promise<Found<Kind>>;
};

/** Most reads take one statement, which shows one state by itself. */
const OWN_READS: OwnReads<Answers> = {
  page: readPage,
  pages: readBatch,
  bounded: readBounded,
  recordPage: ({ connection }, page) => readRecordPage(connection, page),
  rows: readVersionedRows,
  count: async ({ connection }, count) =>
    Reads.unversioned({ total: await readCount(connection, count) }),
  facets: readFacets,
  keys: readKeys,
  sort: async ({ connection }, keys) => Reads.unversioned(await estimateSort(connection, keys)),
};

class MysqlSource implements Source {
  readonly dialect = mysqlDialect;
  readonly versions: NonNullable<Source['versions']> = {
    scopeOf: () => '',
    current: () => {
      const { versions } = this.#checks;
      return Deadlines.withDeadline(VERSION_CHECK, (call) =>
        this.#checks.ask((connection) => versions.current(connection), call),
      );
    },
    shared: (version) => version.slice(version.indexOf('/') + 1),
  };
  readonly log: ServerLog = {
    positions: GTID_POSITIONS,
    state: async () =>
      logStateOf(
        await Deadlines.withDeadline(VERSION_CHECK, (call) => this.#checks.ask(askLogState, call)),
      ),
  };
  readonly #database: Database;
  /** Checks of the version must not wait behind pages. */
  readonly #checks: Database;
  /** Pages must not wait behind an index that is being built. */
  readonly #background: Database;
  /** Nor behind a whole list. */
  readonly #lists: Database;
  /** The relations that were found to be versioned. */
  #versioned: ReadonlySet<string> = new Set();

  constructor(database: Database, limits: Pools.PoolLimits, exports: Pools.PoolLimits) {
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

  read<Kind extends ReadKind>(read: Read<Kind>, call: ReadCall): Promise<Found<Kind>> {
    const database = Reads.isBackground(read) ? this.#background : this.#database;
    const own: Partial<Answers>[Kind] = OWN_READS[read.kind];
    const ask = (connection: Connection): Promise<Found<Kind>> => {
      const session = this.#session(connection);
      if (own !== undefined) return own(session, read.asked);
      return readTogether(session, Reads.termsOf(read), (snapshot) =>
        Reads.readInSnapshot(snapshot, read),
      );
    };
    return database.ask(ask, Reads.shaped(read, call));
  }

  together<Seen extends Versioned>(
    terms: SnapshotTerms,
    work: (snapshot: Snapshot) => Promise<Seen>,
    call: ReadCall,
  ): Promise<Seen> {
    const read = (connection: Connection): Promise<Seen> =>
      readTogether(this.#session(connection), terms, work);
    return this.#database.ask(read, call);
  }

  list(list: WholeListStatements, sink: Lists.ListSink, call: Lists.ListCall): Promise<void> {
    const read = (connection: Connection): Promise<void> =>
      readList(this.#session(connection), { list, sink, call });
    return this.#lists.ask(read, call);
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
    const isVersioned = (relations: readonly RelationPath[]): boolean =>
      relations.every((relation) => this.#versioned.has(JSON.stringify(relation)));
    return { connection, versions, isVersioned };
  }

  #askOnce<Value>(work: Work<Value>): Promise<Value> {
    return Deadlines.withDeadline(HOUSEKEEPING, (call) => this.#database.ask(work, call));
  }
}
