import {
  type Asked,
  type Found,
  type Lists,
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
  Versions,
  type WholeListStatements,
} from '@proj/engine/database';

import type { Connection } from './connection/connection.ts';
import { Database, type Work } from './database.ts';
import { mysqlDialect } from './dialect.ts';
import { introspect } from './introspection/introspect.ts';
import { jsonPlace } from './introspection/json-places.ts';
import { describeComputed, describeSelection } from './introspection/operator-sql.ts';
import { askLogState, GTID_POSITIONS, logStateOf } from './replicas/log-state.ts';
import { estimateSort, readKeys } from './reads/read-keys.ts';
import { readFacets } from './facets/select-lists.ts';
import { readList } from './reads/read-list.ts';
import { readAlone, readPage, readTogether, type Session } from './reads/read-page.ts';
import { readMysqlUrl } from './connection/url.ts';
import { accountWarnings } from './warnings.ts';

/** @throws {SettingsError} when the URL is invalid or the server refuses it */
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
const OWN_READS: Partial<Answers> = {
  page: readPage,
  row: async ({ connection }, row) =>
    Reads.unversioned({ cells: (await connection.execute(row))[0] }),
  facets: (session, asked) => {
    const read = (): Promise<Found<'facets'>> => readFacets(session.connection, asked);
    const isAlone = asked.ranges === undefined || !asked.hasSnapshots;
    return isAlone ? readAlone(session, asked, read) : readTogether(session, asked, read);
  },
  keys: readKeys,
  sort: async ({ connection }, keys) => Reads.unversioned(await estimateSort(connection, keys)),
};

class MysqlSource implements Source {
  readonly dialect = mysqlDialect;
  readonly versions: NonNullable<Source['versions']> = {
    current: () => {
      const { versions } = this.#lanes.pages;
      return this.#lanes.check((checks, call) =>
        checks.ask((connection) => versions.current(connection), call),
      );
    },
    shared: Versions.shared,
  };
  readonly log: ServerLog = {
    positions: GTID_POSITIONS,
    state: async () =>
      logStateOf(await this.#lanes.check((checks, call) => checks.ask(askLogState, call))),
  };
  readonly #lanes: Pools.Lanes<Database>;
  #versioned: ReadonlySet<string> = new Set();

  constructor(database: Database, limits: Pools.PoolLimits, exports: Pools.PoolLimits) {
    this.#lanes = new Pools.Lanes(database, limits, exports);
  }

  async introspect(): Promise<Relation[]> {
    const relations = await this.#askOnce(introspect);
    const versioned = relations.filter((relation) => relation.versioned === true);
    this.#versioned = new Set(versioned.map(({ path }) => JSON.stringify(path)));
    return relations;
  }

  readonly describe: NonNullable<Source['describe']> = (column) =>
    this.#askOnce((connection) => describeComputed(column, connection));

  readonly jsonPlace = jsonPlace;

  readonly describeSelection: NonNullable<Source['describeSelection']> = (selection) =>
    this.#askOnce((connection) => describeSelection(selection, connection));

  read<Kind extends ReadKind>(read: Read<Kind>, call: ReadCall): Promise<Found<Kind>> {
    const own = OWN_READS[read.kind];
    const ask = (connection: Connection): Promise<Found<Kind>> => {
      const session = this.#session(connection);
      if (own !== undefined) return own(session, read.asked);
      return readTogether(session, Reads.termsOf(read), (snapshot) =>
        Reads.readInSnapshot(snapshot, read),
      );
    };
    const shaped = Reads.shaped(read, call);
    return this.#lanes.of(shaped).ask(ask, shaped);
  }

  inSnapshot<Seen extends Versioned>(
    terms: SnapshotTerms,
    work: (snapshot: Snapshot) => Promise<Seen>,
    call: ReadCall,
  ): Promise<Seen> {
    const read = (connection: Connection): Promise<Seen> =>
      readTogether(this.#session(connection), terms, work);
    return this.#lanes.pages.ask(read, call);
  }

  list(list: WholeListStatements, sink: Lists.ListSink, call: ReadCall): Promise<void> {
    const read = (connection: Connection): Promise<void> =>
      readList(this.#session(connection), { list, sink, call });
    return this.#lanes.lists.ask(read, call);
  }

  warnings(): Promise<string[]> {
    return this.#askOnce(accountWarnings);
  }

  async ping(): Promise<void> {
    await this.#askOnce((connection) => connection.command('do 0'));
  }

  close(): Promise<void> {
    return this.#lanes.close();
  }

  #session(connection: Connection): Session {
    const { versions } = this.#lanes.pages;
    const isVersioned = (relations: readonly RelationPath[]): boolean =>
      relations.every((relation) => this.#versioned.has(JSON.stringify(relation)));
    return { connection, versions, isVersioned };
  }

  #askOnce<Value>(work: Work<Value>): Promise<Value> {
    return this.#lanes.keepHouse((pages, call) => pages.ask(work, call));
  }
}
