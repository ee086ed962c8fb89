import { sql } from 'kysely';

import type { Relation } from '../../catalogue/relation.ts';
import { withDeadline } from '../../deadline.ts';
import { SettingsError } from '../../errors.ts';
import type { Condition } from '../../planning/condition.ts';
import { compile } from '../../sql/compile.ts';
import type { Dialect } from '../../sql/dialect.ts';
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
import type { FeedWatch } from '../feed-watch.ts';
import type { FollowReport } from '../follow-report.ts';
import type { FollowSettings } from '../source-settings.ts';
import type { PoolLimits } from '../connection-pool.ts';
import type { LogState } from '../log-position.ts';
import { exportLimits, SERVER_LIMITS } from '../pool-limits.ts';
import type {
  AskedRecord,
  BoundedPage,
  BoundedRows,
  FacetsRead,
  FollowedCall,
  KeysRead,
  MomentWork,
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
import type { ListBeginning, ListCall, ListSink } from '../whole-list.ts';
import { Connector, type SessionRules } from './connect.ts';
import type { Row } from './connection.ts';
import { Database } from './database.ts';
import { makePostgresDialect } from './dialect.ts';
import { ChangeFeed } from './feed/feed.ts';
import type { FeedBounds } from './feed/feed-session.ts';
import {
  type FollowedServerSettings,
  feedTargetOf,
  readFollowReport,
  TOO_OLD_TO_FOLLOW,
} from './feed/followed-server.ts';
import { type StampedRead, StampedReads } from './feed/stamped-reads.ts';
import { relationsOf } from './introspect.ts';
import { INTROSPECTION } from './introspection.ts';
import {
  anyCommitted,
  type ComparedStates,
  LOG_STATE,
  logStateOf,
  runningOnPrimary,
} from './log-state.ts';
import { LSN_POSITIONS } from './positions.ts';
import { estimateSort, readKeys } from './read-keys.ts';
import { readFacets } from './read-facets.ts';
import { readFollowed } from './read-followed.ts';
import { readList } from './read-list.ts';
import {
  readBatch,
  readBounded,
  readPage,
  readRecord,
  readRecordPage,
  readRows,
  readTogether,
} from './read-page.ts';
import type { SessionStatement } from './running-work.ts';
import { countOf } from './snapshot.ts';
import { readPostgresUrl } from './url.ts';
import { HAS_SNAPSHOTS, SNAPSHOT_VERSION } from './version.ts';
import { VIEW_FACTS, withViewVersions } from './view-facts.ts';
import { ROLE_QUERY, roleWarnings } from './warnings.ts';

const RULES: PostgresRules = {
  limits: SERVER_LIMITS,
  exports: exportLimits(),
  pooler: 'auto',
  queryTimeoutMs: 10_000,
};

/** What a source on PostgreSQL is opened with. */
export interface PostgresRules extends SessionRules {
  readonly limits: PoolLimits;
  /** Of the connections that whole lists are read on. */
  readonly exports: PoolLimits;
  /** Where changes are followed. Default: they are not. */
  readonly follow?: FollowSettings | undefined;
  /** How many processes read it and follow it, each for itself. Default: 1. */
  readonly processes?: number | undefined;
  /** What following may cost the server. Default: those of {@link ChangeFeed}. */
  readonly feedBounds?: FeedBounds | undefined;
  /**
   * Whether what this server fails to read is read elsewhere, so that it is not tried again here.
   * Default: false.
   */
  readonly isReplica?: boolean;
}

/** The scope of versions that all relations have in common. */
const WHOLE_DATABASE = '';

/** Reading the schema or answering a ping waits so long at most. */
const HOUSEKEEPING = { timeoutMs: 10_000 };

/** A version that takes longer is worth less than a page. */
const VERSION_CHECK = { timeoutMs: 1000 };

/**
 * Connects to a PostgreSQL server, or to one that speaks its protocol.
 *
 * @throws {SettingsError} when the URL is no good or the server, or a pooler before it, refuses
 *   what is needed
 * @throws {QueryFailedError} when the server does not answer
 */
export async function openPostgres(
  url: string,
  rules: Partial<PostgresRules> = {},
): Promise<Source> {
  const { limits, exports, follow, processes, feedBounds, isReplica, ...sessionRules } = {
    ...RULES,
    ...rules,
  };
  const connector = new Connector(readPostgresUrl(url), sessionRules);
  const database = await Database.open(connector, { ...limits, triesOnce: isReplica === true });
  const [hasSnapshots] = await withDeadline(VERSION_CHECK, (call) =>
    database.ask({ statement: HAS_SNAPSHOTS, named: false }, call),
  ).catch(() => []);
  return new PostgresSource(database, {
    limits,
    exports,
    hasSnapshots: hasSnapshots === 'true',
    followed: { url, follow, processes, queryTimeoutMs: sessionRules.queryTimeoutMs },
    feedBounds,
  });
}

/** Follows the changes of a server where that is wanted. */
function openFeed({ followed, feedBounds }: ServerFacts): ChangeFeed | undefined {
  if (followed.follow === undefined) return undefined;
  const { url, publication, setting } = feedTargetOf(followed);
  return new ChangeFeed({
    address: readPostgresUrl(url, setting),
    publication,
    bounds: feedBounds,
  });
}

/** What a server is like. */
interface ServerFacts {
  readonly limits: PoolLimits;
  readonly exports: PoolLimits;
  /** Whether its snapshots are PostgreSQL's own: otherwise each page is read in one statement. */
  readonly hasSnapshots: boolean;
  readonly followed: FollowedServerSettings;
  readonly feedBounds: FeedBounds | undefined;
}

class PostgresSource implements Source {
  readonly dialect: Dialect;
  readonly positions = LSN_POSITIONS;
  readonly #database: Database;
  /** Checks of the version must not wait behind pages. */
  readonly #checks: Database;
  /** Pages must not wait behind an index that is being built. */
  readonly #background: Database;
  /** Nor behind a whole list. */
  readonly #lists: Database;
  readonly #hasSnapshots: boolean;
  readonly #followed: FollowedServerSettings;
  readonly #feed: ChangeFeed | undefined;
  readonly #stamped: StampedReads | undefined;
  /** Reads the version of the data. */
  readonly #version: Statement;

  constructor(database: Database, facts: ServerFacts) {
    const { limits, hasSnapshots, followed } = facts;
    const version = hasSnapshots ? SNAPSHOT_VERSION : sql`null::text`;
    this.dialect = makePostgresDialect(version);
    this.#database = database;
    this.#checks = database.withOwnPool({ ...limits, connections: 1 });
    this.#background = database.withOwnPool({ ...limits, connections: 1 });
    this.#lists = database.withOwnPool(facts.exports);
    this.#hasSnapshots = hasSnapshots;
    this.#followed = followed;
    this.#version = compile(sql`select ${version}`, this.dialect);
    this.#feed = hasSnapshots ? openFeed(facts) : undefined;
    this.#stamped = this.#feed && new StampedReads(this.#feed, this.#checks, this.dialect);
  }

  get feed(): FeedWatch | undefined {
    return this.#feed;
  }

  async introspect(): Promise<Relation[]> {
    const relations = relationsOf(await this.#askOnce(INTROSPECTION));
    return this.#hasSnapshots
      ? withViewVersions(relations, await this.#askOnce(VIEW_FACTS))
      : relations.map((relation) => ({ ...relation, snapshots: false, versioned: false }));
  }

  readPage(query: QueryStatements, range: PageRange, call: ReadCall): Promise<PageRows> {
    const page = { query, range };
    const shaped = { ...call, shape: pageShape(page) };
    return this.#asRead(query.relation, (stamped) =>
      readPage(this.#database, { pages: [page], version: this.#version, stamped }, shaped),
    );
  }

  readBatch(pages: readonly QueryPage[], call: ReadCall): Promise<PageRows[]> {
    const shaped = { ...call, shape: batchShape(pages) };
    return this.#asRead(pages[0]?.query.relation, (stamped) =>
      readBatch(this.#database, { pages, version: this.#version, stamped }, shaped),
    );
  }

  readBounded(page: BoundedPage, call: ReadCall): Promise<BoundedRows> {
    const shaped = { ...call, shape: boundedShape(page) };
    return this.#asRead(page.query.relation, (stamped) =>
      readBounded(this.#database, { page, stamped }, shaped),
    );
  }

  readRecord(asked: AskedRecord, call: ReadCall): Promise<RecordReading> {
    return this.#asRead(asked.query.relation, (stamped) =>
      readRecord(this.#database, { asked, version: this.#version, stamped }, call),
    );
  }

  readTogether<Read extends Versioned>(
    query: QueryStatements,
    work: (snapshot: Snapshot) => Promise<Read>,
    call: ReadCall,
  ): Promise<Read> {
    return this.#asRead(query.relation, (stamped) =>
      readTogether(this.#database, { query, version: this.#version, stamped, work }, call),
    );
  }

  readRecordPage(page: RecordPageStatement, call: ReadCall): Promise<RecordRows> {
    const shaped = { ...call, shape: WHOLE_RELATION };
    return this.#asRead(page.relation, (stamped) =>
      readRecordPage(this.#database, { ...page, stamped }, shaped),
    );
  }

  readFacets(facets: FacetStatements, call: ReadCall): Promise<FacetsRead> {
    const shaped = { ...call, shape: facetsShape(facets) };
    return this.#asRead(facets.relation, (stamped) =>
      readFacets(this.#database, { ...facets, stamped }, shaped),
    );
  }

  readRows(rows: RowsStatement, call: ReadCall): Promise<RowsRead> {
    const shaped = { ...call, shape: rowsShape(rows) };
    return this.#asRead(rows.relation, (stamped) =>
      readRows(this.#database, { ...rows, stamped }, shaped),
    );
  }

  knowsTotal(relation: RelationPath, condition?: Condition): boolean {
    return this.#stamped?.hasTotal(relation, condition) ?? false;
  }

  readFollowed<Read extends Versioned>(
    relation: RelationPath,
    work: MomentWork<Read>,
    { isBackground = false, ...call }: FollowedCall,
  ): Promise<Read | undefined> {
    const database = isBackground ? this.#background : this.#database;
    return this.#asRead(relation, async (stamped) => {
      if (stamped === undefined) return undefined;
      return readFollowed(database, { stamped, version: this.#version, work }, call);
    });
  }

  async readList(list: WholeListStatements, sink: ListSink, call: ListCall): Promise<void> {
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const begin = (beginning: ListBeginning): Promise<void> => {
      resolve();
      return sink.begin(beginning);
    };
    const noting = { begin, write: sink.write.bind(sink) };
    let reading = Promise.resolve();
    // As a read of a followed relation it ends with its beginning, when the version is known.
    await this.#asRead(list.relation, (stamped) => {
      const terms = { list, sink: noting, version: this.#version, stamped };
      reading = readList(this.#lists, terms, call);
      return Promise.race([begun, reading]);
    });
    await reading;
  }

  readKeys(keys: KeysStatement, call: ReadCall): Promise<KeysRead> {
    return this.#asRead(keys.relation, (stamped) =>
      readKeys(this.#background, { ...keys, stamped }, call),
    );
  }

  estimateSort(keys: KeysStatement, call: ReadCall): Promise<SortEstimate> {
    return estimateSort(this.#background, keys, call);
  }

  async count(statement: Statement, call: ReadCall): Promise<bigint> {
    const shaped = { ...call, shape: WHOLE_RELATION };
    return countOf(await this.#database.ask({ statement, named: false }, shaped));
  }

  versionScope(relation: RelationPath): string {
    return this.#stamped?.follows(relation) === true ? JSON.stringify(relation) : WHOLE_DATABASE;
  }

  async version(scope: string): Promise<string | undefined> {
    const { version } = await this.#checks.versions.of(async () => ({
      version: (await this.#relationVersion(scope)) ?? (await this.#databaseVersion()),
    }));
    return version;
  }

  shared(version: string): string {
    return version.slice(version.indexOf('/') + 1);
  }

  async logState(): Promise<LogState> {
    if (!this.#hasSnapshots)
      throw new SettingsError('it leads to a server that is no PostgreSQL, and has no such log.');
    return logStateOf(await this.#check({ statement: LOG_STATE, named: true }));
  }

  async isShownByPrimary(states: ComparedStates): Promise<boolean> {
    const running = runningOnPrimary(states);
    if (running === undefined || running.length === 0) return running !== undefined;
    const [committed] = await this.#check({ statement: anyCommitted(running), named: true });
    return committed === 'false';
  }

  async ping(): Promise<void> {
    await this.#askOnce({ sql: 'select 1', parameters: [] });
  }

  async followReport(relations: readonly RelationPath[]): Promise<FollowReport> {
    if (!this.#hasSnapshots) return TOO_OLD_TO_FOLLOW;
    return readFollowReport(this.#followed, {
      relations,
      ask: (statement) => this.#askOnce(statement),
    });
  }

  async warnings(): Promise<string[]> {
    return roleWarnings(await this.#askOnce(ROLE_QUERY));
  }

  async close(): Promise<void> {
    this.#feed?.close();
    const databases = [this.#database, this.#checks, this.#background, this.#lists];
    await Promise.all(databases.map((database) => database.close()));
  }

  async #databaseVersion(): Promise<string | undefined> {
    const [version] = await this.#check({ statement: this.#version, named: true });
    return version ?? undefined;
  }

  async #relationVersion(scope: string): Promise<string | undefined> {
    if (scope === WHOLE_DATABASE) return undefined;
    const relation = JSON.parse(scope) as RelationPath;
    return this.#asRead(relation, async (stamped) => {
      return (await stamped?.moment(await this.#check(stamped.stamp)))?.version;
    });
  }

  #check(statement: SessionStatement): Promise<Row> {
    return withDeadline(VERSION_CHECK, (call) => this.#checks.ask(statement, call));
  }

  /** Does work as a read of a relation, whose stamp it takes where the relation is followed. */
  #asRead<Value>(
    relation: RelationPath | undefined,
    work: (stamped: StampedRead | undefined) => Promise<Value>,
  ): Promise<Value> {
    if (this.#stamped === undefined || relation === undefined) return work(undefined);
    return this.#stamped.during(relation, work);
  }

  #askOnce(statement: Statement): Promise<Row> {
    return withDeadline(HOUSEKEEPING, (call) =>
      this.#database.ask({ statement, named: false }, call),
    );
  }
}
