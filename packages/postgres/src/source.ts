import { sql } from 'kysely';
import {
  type AskedSession,
  compile,
  Deadlines,
  type Dialect,
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
  type SessionProblem,
  type SessionRole,
  SettingsError,
  SEVERAL_SERVERS,
  type Snapshot,
  type SnapshotTerms,
  type Source,
  type SourceSettings,
  type Statement,
  type StatementSession,
  type Versioned,
  WHOLE_DATABASE,
  type WholeListStatements,
} from '@proj/engine/database';
import type { Changes, FollowedChanges, FollowSettings } from '@proj/engine/following';

import { Connector, type SessionRules } from './connection/connect.ts';
import type { Row } from './connection/connection.ts';
import { Database } from './connection/database.ts';
import { makePostgresDialect } from './dialect.ts';
import { ExportedReads } from './feed/lists/exported-reads.ts';
import { type ShownRows, shownRows } from './feed/relations/shown-rows.ts';
import { ChangeFeed } from './feed/session/feed.ts';
import type { FeedBounds } from './feed/session/feed-session.ts';
import {
  type FollowedServerSettings,
  feedTargetOf,
  notFollowable,
  readFollowReport,
} from './feed/session/followed-server.ts';
import { type StampedRead, StampedReads } from './feed/session/stamped-reads.ts';
import { CitusCluster } from './cluster/citus-cluster.ts';
import { clusterAccess } from './cluster/cluster-access.ts';
import type { ClusterAccess } from './cluster/cluster-servers.ts';
import {
  clusterFacts,
  distributedRelations,
  distributedTables,
  KNOWS_CITUS,
  withCutVersions,
  withPlaces,
} from './introspection/distributed-relations.ts';
import { relationsOf } from './introspection/introspect.ts';
import { introspection } from './introspection/introspection.ts';
import { callerRules } from './introspection/caller-rules.ts';
import { policyFacts, policingOf } from './introspection/policy-facts.ts';
import { policyTables, withRoles } from './introspection/policy-tables.ts';
import { Readers } from './introspection/readers.ts';
import { sessionFacts, sessionProblems } from './introspection/session-problems.ts';
import {
  anyCommitted,
  type ComparedStates,
  LOG_STATE,
  logStateOf,
  runningOnPrimary,
} from './replicas/log-state.ts';
import { LSN_POSITIONS } from './replicas/positions.ts';
import { readFollowed } from './reads/read-followed.ts';
import { readList } from './reads/read-list.ts';
import { readTogether } from './reads/read-page.ts';
import { answerRead } from './reads.ts';
import type { SessionStatement } from './connection/session.ts';
import { RelationProofs, withoutSnapshots } from './versions/relation-proofs.ts';
import type { ServerFinding } from './connection/server-proof.ts';
import { readPostgresUrl } from './connection/url.ts';
import { SNAPSHOT_VERSION } from './states/version.ts';
import { viewFacts, withViewFacts } from './introspection/view-facts.ts';
import { ROLE_QUERY, roleWarnings, serverWarnings } from './warnings.ts';

const RULES: PostgresRules = {
  limits: Pools.SERVER_LIMITS,
  exports: Pools.exportLimits(),
  pooler: 'auto',
  queryTimeoutMs: 10_000,
};

/** What a source on PostgreSQL is opened with. */
export interface PostgresRules extends SessionRules {
  readonly limits: Pools.PoolLimits;
  /** Of the connections that whole lists are read on. */
  readonly exports: Pools.PoolLimits;
  /** Where changes are followed. Default: they are not. */
  readonly follow?: FollowSettings | undefined;
  /** How tables of a Citus cluster are read. */
  readonly cluster?: NonNullable<SourceSettings['cluster']> | undefined;
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
  const { limits, exports, follow, cluster, processes, feedBounds, isReplica, ...sessionRules } = {
    ...RULES,
    ...rules,
  };
  const connector = new Connector(readPostgresUrl(url), sessionRules);
  const database = await Database.open(connector, { ...limits, triesOnce: isReplica === true });
  return new PostgresSource(database, {
    limits,
    exports,
    server: connector.server,
    isRelayed: connector.isRelayed,
    followed: { url, follow, processes, queryTimeoutMs: sessionRules.queryTimeoutMs },
    feedBounds,
    cluster: clusterAccess(url, { settings: cluster, sessionRules, limits, processes }),
  });
}

/** Follows the changes of a server where that is wanted. */
function openFeed(
  { followed, feedBounds }: ServerFacts,
  reads: ExportedReads,
): ChangeFeed | undefined {
  if (followed.follow === undefined) return undefined;
  const { url, publication, setting, heldMs } = feedTargetOf(followed);
  return new ChangeFeed({
    address: readPostgresUrl(url, setting),
    publication,
    bounds: feedBounds,
    filtered: heldMs === 0 ? undefined : { reads, heldMs },
  });
}

/** What a server is like. */
interface ServerFacts {
  readonly limits: Pools.PoolLimits;
  readonly exports: Pools.PoolLimits;
  /** What it was found to be. With a gap, each page is read in one statement. */
  readonly server: ServerFinding;
  /** Whether something is before it, which may lead each relation elsewhere. */
  readonly isRelayed: boolean;
  readonly followed: FollowedServerSettings;
  readonly feedBounds: FeedBounds | undefined;
  /** Undefined where no state of several servers is looked for. */
  readonly cluster: ClusterAccess | undefined;
}

class PostgresSource implements Source {
  readonly dialect: Dialect;
  readonly versions: NonNullable<Source['versions']> = {
    scopeOf: (relations) => {
      const { distribution } = this.#database;
      if (relations.some((one) => distribution.has(one))) return SEVERAL_SERVERS;
      const [relation] = relations;
      const isFollowed =
        relation !== undefined && this.#stampedReadsOf(relations)?.follows(relation) === true;
      return isFollowed ? JSON.stringify(relation) : WHOLE_DATABASE;
    },
    current: async (scope) => {
      const { version } = await this.#checks.versions.of(async () => ({
        version:
          scope === SEVERAL_SERVERS
            ? await this.#clusterVersion()
            : ((await this.#relationVersion(scope)) ?? (await this.#databaseVersion())),
      }));
      return version;
    },
    shared: (version) => version.slice(version.indexOf('/') + 1),
  };
  readonly log: ServerLog = {
    positions: LSN_POSITIONS,
    state: async () => {
      if (!this.#hasSnapshots)
        throw new SettingsError(
          `its server has no log that can be relied on: ${this.#server.gap}.`,
        );
      return logStateOf(await this.#check({ statement: LOG_STATE, named: true }));
    },
    isShownByPrimary: async (states: ComparedStates) => {
      const running = runningOnPrimary(states);
      if (running === undefined || running.length === 0) return running !== undefined;
      const [committed] = await this.#check({ statement: anyCommitted(running), named: true });
      return committed === 'false';
    },
  };
  readonly changes: Changes;
  readonly #database: Database;
  /** Checks of the version must not wait behind pages. */
  readonly #checks: Database;
  /** Pages must not wait behind an index that is being built. */
  readonly #background: Database;
  /** Nor behind a whole list. */
  readonly #lists: Database;
  readonly #cluster: CitusCluster | undefined;
  /** What base snapshots are asked on. */
  readonly #bases: Database;
  readonly #server: ServerFinding;
  readonly #hasSnapshots: boolean;
  readonly #proofs: RelationProofs | undefined;
  readonly #followed: FollowedServerSettings;
  readonly #feed: ChangeFeed | undefined;
  readonly #stamped: StampedReads | undefined;
  /** Reads the version of the data. */
  readonly #version: Statement;

  constructor(database: Database, facts: ServerFacts) {
    const { limits, server, followed } = facts;
    const hasSnapshots = server.gap === undefined;
    const version = hasSnapshots ? SNAPSHOT_VERSION : sql`null::text`;
    this.dialect = makePostgresDialect(version);
    this.#database = database;
    this.#checks = database.withOwnPool({ ...limits, connections: 1 });
    this.#background = database.withOwnPool({ ...limits, connections: 1 });
    this.#lists = database.withOwnPool(facts.exports);
    this.#cluster = facts.cluster && new CitusCluster(database.withOwnPool(limits), facts.cluster);
    this.#bases = database.withOwnPool({ ...limits, connections: Pools.ASKING_BASES });
    this.#server = server;
    this.#hasSnapshots = hasSnapshots;
    this.#proofs = facts.isRelayed ? new RelationProofs(database, this.dialect) : undefined;
    this.#followed = followed;
    this.#version = compile(sql`select ${version}`, this.dialect);
    const bases = new ExportedReads(this.#bases, this.dialect);
    this.#feed = hasSnapshots ? openFeed(facts, bases) : undefined;
    this.#stamped = this.#feed && new StampedReads(this.#feed, this.#checks, this.dialect);
    this.changes = this.#changes();
  }

  async introspect(sessions: readonly SessionRole[] = []): Promise<Relation[]> {
    const names = sessions.map(({ role }) => role);
    this.#database.nameSettings(sessions.flatMap(({ settings }) => settings));
    const readers = new Readers(names);
    const all = relationsOf(await this.#askOnce(introspection(readers)));
    const distributed = distributedRelations(await this.#askOnce(KNOWS_CITUS));
    const places = await this.#askOnce(distributed);
    this.#database.distribution.learn(distributedTables(places));
    const found = withPlaces(all, places, await this.#learnCluster(places));
    const relations =
      sessions.length === 0
        ? found
        : withRoles(found, sessions, await this.#askOnce(policyTables(names)));
    if (!this.#hasSnapshots) return this.#withoutSnapshots(relations, places);
    const facts = await this.#askOnce(viewFacts(readers));
    const callers =
      sessions.length === 0
        ? []
        : callerRules(sessions, policingOf(await this.#askOnce(policyFacts(sessions))));
    const described = withViewFacts(relations, facts, callers);
    return this.#proofs?.appliedTo(described, sessions) ?? described;
  }

  /** Those of a cut are of the servers that it compares, without a proxy before them. */
  #withoutSnapshots(relations: readonly Relation[], places: Row): Relation[] {
    const without = relations.map(withoutSnapshots);
    return this.#server.isCitus && this.#proofs === undefined
      ? withCutVersions(without, places)
      : without;
  }

  read<Kind extends ReadKind>(read: Read<Kind>, call: ReadCall): Promise<Found<Kind>> {
    const database = Reads.isBackground(read) ? this.#background : this.#database;
    const { session, ...terms } = Reads.termsOf(read);
    return this.#asRead({ ...terms, session }, (stamped) =>
      answerRead(
        database,
        { read, version: this.#version, stamped },
        Reads.shaped(read, { ...call, session }),
      ),
    );
  }

  together<Seen extends Versioned>(
    query: SnapshotTerms,
    work: (snapshot: Snapshot) => Promise<Seen>,
    call: ReadCall,
  ): Promise<Seen> {
    const { session } = query;
    const terms = { query, version: this.#version, work };
    return this.#asRead(query, (stamped) =>
      readTogether(this.#database, { ...terms, stamped }, { ...call, session }),
    );
  }

  async list(list: WholeListStatements, sink: Lists.ListSink, call: Lists.ListCall): Promise<void> {
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const begin = (beginning: Lists.ListBeginning): Promise<void> => {
      resolve();
      return sink.begin(beginning);
    };
    const noting = { begin, write: sink.write.bind(sink) };
    let reading = Promise.resolve();
    // As a read of a followed relation it ends with its beginning, when the version is known.
    const { session } = list;
    await this.#asRead(list, (stamped) => {
      const terms = { list, sink: noting, version: this.#version, stamped };
      reading = readList(this.#lists, terms, { ...call, session });
      return Promise.race([begun, reading]);
    });
    await reading;
  }

  get cuts(): NonNullable<Source['cuts']> | undefined {
    return this.#cluster?.counts;
  }

  async ping(): Promise<void> {
    await this.#askOnce({ sql: 'select 1', parameters: [] });
  }

  async warnings(): Promise<string[]> {
    const { spread = [] } = this.#proofs ?? {};
    return [
      ...serverWarnings(this.#server, spread),
      ...((await this.#cluster?.warnings()) ?? []),
      ...roleWarnings(await this.#askOnce(ROLE_QUERY)),
    ];
  }

  async sessionProblems(asked: AskedSession): Promise<SessionProblem[]> {
    return sessionProblems(asked, await this.#askOnce(sessionFacts(asked)));
  }

  async close(): Promise<void> {
    this.#feed?.close();
    const databases = [this.#database, this.#checks, this.#background, this.#lists, this.#bases];
    await Promise.all([...databases.map((database) => database.close()), this.#cluster?.close()]);
  }

  #changes(): Changes {
    const report: Changes['report'] = async (relations, shown) => {
      if (!this.#hasSnapshots) return notFollowable(this.#server);
      const ask = (statement: Statement): Promise<Row> => this.#askOnce(statement);
      return readFollowReport(this.#followed, { relations, shown, ask });
    };
    const feed = this.#feed;
    if (feed === undefined) return { report };
    const during: FollowedChanges['during'] = async (
      relation,
      work,
      { isBackground: isBehind, ...call },
    ) => {
      const { reads, shown } = this.#followedAs(relation, call.session) ?? {};
      return reads?.during(
        relation,
        async (stamped) => {
          if (stamped === undefined) return undefined;
          const database = isBehind === true ? this.#background : this.#database;
          return readFollowed(database, { stamped, version: this.#version, work }, call);
        },
        shown,
      );
    };
    const follows: FollowedChanges['follows'] = (relation, session) => {
      const { reads, shown } = this.#followedAs(relation, session) ?? {};
      return reads?.follows(relation, shown) ?? false;
    };
    const knowsTotal: FollowedChanges['knowsTotal'] = (relation, condition, session) => {
      const { reads, shown } = this.#followedAs(relation, session) ?? {};
      return reads?.hasTotal(relation, condition, shown) ?? false;
    };
    const states: FollowedChanges['states'] = async (relation, conditions, session) => {
      const { reads, shown } = this.#followedAs(relation, session) ?? {};
      return reads?.states(relation, conditions, shown);
    };
    return { report, followed: { feed, follows, knowsTotal, during, states } };
  }

  /** How a relation is followed as the service reads it, or a caller of the database. */
  #followedAs(
    relation: RelationPath,
    session: StatementSession | undefined,
  ): { readonly reads: StampedReads; readonly shown: ShownRows | undefined } | undefined {
    const reads = this.#stampedReadsOf([relation]);
    const shown = session && shownRows(session);
    if (reads === undefined || (session !== undefined && shown === undefined)) return undefined;
    return { reads, shown };
  }

  /** Why no state of all servers of the cluster can be read; undefined where one can. */
  async #learnCluster(places: Row): Promise<string | undefined> {
    const facts = clusterFacts(places);
    if (facts === undefined || facts.tables === '' || this.#cluster === undefined) return '';
    const unreachable = await this.#cluster.learn(facts);
    this.#database.distribution.cluster = unreachable === undefined ? this.#cluster : undefined;
    return unreachable;
  }

  #clusterVersion(): Promise<string | undefined> {
    return Deadlines.withDeadline(VERSION_CHECK, async (call) =>
      this.#cluster?.currentVersion(call),
    );
  }

  async #databaseVersion(): Promise<string | undefined> {
    const [version] = await this.#check({ statement: this.#version, named: true });
    return version ?? undefined;
  }

  async #relationVersion(scope: string): Promise<string | undefined> {
    if (scope === WHOLE_DATABASE) return undefined;
    const relation = JSON.parse(scope) as RelationPath;
    return this.#asRead({ relations: [relation] }, async (stamped) => {
      return (await stamped?.moment(await this.#check(stamped.stamp)))?.version;
    });
  }

  #check(statement: SessionStatement): Promise<Row> {
    return Deadlines.withDeadline(VERSION_CHECK, (call) => this.#checks.ask(statement, call));
  }

  /**
   * Does work as a read of relations; one that is followed alone has a stamp, which it takes. What
   * is followed are the rows that the database shows to the service.
   */
  #asRead<Value>(
    { relations = [], session }: Pick<SnapshotTerms, 'relations' | 'session'>,
    work: (stamped: StampedRead | undefined) => Promise<Value>,
  ): Promise<Value> {
    const stamped = session === undefined ? this.#stampedReadsOf(relations) : undefined;
    const [relation] = relations;
    if (stamped === undefined || relation === undefined) return work(undefined);
    return stamped.during(relation, work);
  }

  /** A stamp is taken by another statement than the rows, which the same server has to answer. */
  #stampedReadsOf(relations: readonly RelationPath[] = []): StampedReads | undefined {
    const [relation, ...others] = relations;
    if (relation === undefined || others.length > 0) return undefined;
    return this.#proofs?.isProven(relation) === false ? undefined : this.#stamped;
  }

  #askOnce(statement: Statement): Promise<Row> {
    return Deadlines.withDeadline(HOUSEKEEPING, (call) =>
      this.#database.ask({ statement, named: false }, call),
    );
  }
}
