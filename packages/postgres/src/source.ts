import {
  type AskedSession,
  compile,
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
  SEVERAL_SERVERS,
  type Snapshot,
  type SnapshotTerms,
  type Source,
  type SourceSettings,
  type Statement,
  type Versioned,
  Versions,
  WHOLE_DATABASE,
  type WholeListStatements,
} from '@proj/engine/database';
import type { Changes, FollowReport } from '@proj/engine/following';
import { sql } from 'kysely';

import { Connector } from './connection/connect.ts';
import type { Row } from './connection/connection.ts';
import { Database } from './connection/database.ts';
import { makePostgresDialect } from './dialect.ts';
import type { CitusCluster, ClusterTerms } from './cluster/open-cluster.ts';
import type { FeedBounds, FollowedServerSettings, OpenFeed } from './feed/open-feed.ts';
import { computing } from './introspection/computing.ts';
import { describeRelations } from './introspection/describe.ts';
import { clusterFacts } from './introspection/distributed-relations.ts';
import { sessionFacts, sessionProblems } from './introspection/session-problems.ts';
import { serverLog } from './replicas/log-state.ts';
import { readList } from './reads/read-list.ts';
import { readSnapshot } from './reads/read-page.ts';
import type { StampedRead } from './reads/stamped-read.ts';
import { answerRead } from './reads.ts';
import { RelationProofs } from './versions/relation-proofs.ts';
import type { ServerFinding } from './connection/server-proof.ts';
import { readPostgresUrl } from './connection/url.ts';
import { SNAPSHOT_VERSION } from './states/version.ts';
import { ROLE_QUERY, roleWarnings, serverWarnings } from './warnings.ts';

export interface PostgresRules extends Omit<SourceSettings, 'exports' | 'replyMemory'> {
  readonly limits?: Pools.PoolLimits;
  readonly exports?: Pools.PoolLimits;
  /** What following may cost. Default: as in {@link ChangeFeed}. */
  readonly feedBounds?: FeedBounds | undefined;
}

/** @throws {SettingsError} when the URL, the server or a pooler lacks what is needed */
export async function openPostgres(url: string, rules: PostgresRules = {}): Promise<Source> {
  const { limits = Pools.SERVER_LIMITS, exports = Pools.exportLimits() } = rules;
  const { follow, cluster, processes, feedBounds, isReplica = false } = rules;
  const { pooler = 'auto', queryTimeoutMs = 10_000 } = rules;
  const sessionRules = { pooler, queryTimeoutMs };
  const connector = new Connector(readPostgresUrl(url), sessionRules);
  const [database, feed] = await Promise.all([
    Database.open(connector, { ...limits, triesOnce: isReplica }),
    follow && import('./feed/open-feed.ts'),
  ]);
  const { cut = 'auto', addresses } = cluster ?? {};
  return new PostgresSource(database, {
    limits,
    exports,
    server: connector.server,
    isRelayed: connector.isRelayed,
    followed: { url, follow, processes, queryTimeoutMs },
    feedBounds,
    feed,
    cluster: cut === 'none' ? undefined : { url, cut, addresses, processes, sessionRules, limits },
  });
}

interface ServerFacts extends Required<Pick<PostgresRules, 'limits' | 'exports'>> {
  /** With a gap, each page is read in one statement. */
  readonly server: ServerFinding;
  /** Whether something is in between, which may lead each relation elsewhere. */
  readonly isRelayed: boolean;
  readonly followed: FollowedServerSettings;
  readonly feedBounds: FeedBounds | undefined;
  readonly feed: typeof import('./feed/open-feed.ts') | undefined;
  readonly cluster: ClusterTerms | undefined;
}

class PostgresSource implements Source {
  readonly dialect: Dialect;
  readonly versions: NonNullable<Source['versions']> = {
    scopeOf: (relations) => {
      const { distribution } = this.#database;
      if (relations.some((one) => distribution.has(one))) return SEVERAL_SERVERS;
      const [relation, ...others] = relations;
      const isFollowed =
        relation !== undefined && others.length === 0 && this.#feed?.follows(relation) === true;
      return isFollowed ? JSON.stringify(relation) : WHOLE_DATABASE;
    },
    current: async (scope) => {
      const read = async (): Promise<Versioned> => ({ version: await this.#versionOf(scope) });
      return (await this.#database.versions.of(read)).version;
    },
    shared: Versions.shared,
  };
  readonly log: ServerLog;
  readonly changes: Changes;
  readonly #computing = computing((work) =>
    this.#lanes.keepHouse((pages, call) => pages.inSnapshot(work, call)),
  );
  readonly describe = this.#computing.describe;
  readonly jsonPlace = this.#computing.jsonPlace;
  readonly describeSelection = this.#computing.describeSelection;
  readonly #database: Database;
  readonly #lanes: Pools.Lanes<Database>;
  readonly #clusterTerms: ClusterTerms | undefined;
  #cluster: CitusCluster | undefined;
  readonly #bases: Database;
  readonly #server: ServerFinding;
  readonly #proofs: RelationProofs | undefined;
  readonly #followed: FollowedServerSettings;
  readonly #feed: OpenFeed | undefined;
  readonly #version: Statement;

  constructor(database: Database, facts: ServerFacts) {
    const { limits, server, followed, feed, feedBounds } = facts;
    const hasSnapshots = server.gap === undefined;
    const version = hasSnapshots ? SNAPSHOT_VERSION : sql`null::text`;
    this.dialect = makePostgresDialect(version);
    this.#database = database;
    this.#lanes = new Pools.Lanes(database, limits, facts.exports);
    this.#clusterTerms = facts.cluster;
    this.#bases = database.withOwnPool({ ...limits, connections: Pools.ASKING_BASES });
    this.#server = server;
    this.#proofs = facts.isRelayed ? new RelationProofs(database, this.dialect) : undefined;
    this.#followed = followed;
    this.#version = compile(sql`select ${version}`, this.dialect);
    if (hasSnapshots && feed !== undefined)
      this.#feed = new feed.OpenFeed({
        settings: followed,
        bounds: feedBounds,
        database,
        background: this.#lanes.background,
        checks: this.#lanes.checks,
        bases: this.#bases,
        dialect: this.dialect,
        version: this.#version,
        isOfOneServer: (relation) => this.#proofs?.isProven(relation) !== false,
      });
    this.log = serverLog((statement) => this.#check(statement), server);
    this.changes = { report: this.#followReport.bind(this), followed: this.#feed };
  }

  introspect(sessions: readonly SessionRole[] = []): Promise<Relation[]> {
    this.#database.nameSettings(sessions.flatMap(({ settings }) => settings));
    return describeRelations(sessions, {
      ask: (statement) => this.#askOnce(statement),
      distribution: this.#database.distribution,
      server: this.#server,
      proofs: this.#proofs,
      learnCluster: (places) => this.#learnCluster(places),
    });
  }

  read<Kind extends ReadKind>(read: Read<Kind>, call: ReadCall): Promise<Found<Kind>> {
    const terms = Reads.termsOf(read);
    const shaped = Reads.shaped(read, { ...call, session: terms.session });
    return this.#asRead(terms, (stamped) =>
      answerRead(this.#lanes.of(shaped), { read, version: this.#version, stamped }, shaped),
    );
  }

  inSnapshot<Seen extends Versioned>(
    query: SnapshotTerms,
    work: (snapshot: Snapshot) => Promise<Seen>,
    call: ReadCall,
  ): Promise<Seen> {
    const terms = { query, version: this.#version, work };
    return this.#asRead(query, (stamped) =>
      readSnapshot(this.#database, { ...terms, stamped }, { ...call, session: query.session }),
    );
  }

  async list(list: WholeListStatements, sink: Lists.ListSink, call: ReadCall): Promise<void> {
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const begin = (beginning: Lists.ListBeginning): Promise<void> => {
      resolve();
      return sink.begin(beginning);
    };
    const noting = { begin, write: sink.write.bind(sink) };
    let reading = Promise.resolve();
    // The read of a followed relation ends early, when the version is known.
    const { session } = list;
    await this.#asRead(list, (stamped) => {
      const terms = { list, sink: noting, version: this.#version, stamped };
      reading = readList(this.#lanes.lists, terms, { ...call, session });
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
    await Promise.all([this.#lanes.close(), this.#bases.close(), this.#cluster?.close()]);
  }

  async #followReport(...[relations, shown]: Parameters<Changes['report']>): Promise<FollowReport> {
    const { notFollowable, readFollowReport } = await import('./feed/open-feed.ts');
    if (this.#server.gap !== undefined) return notFollowable(this.#server);
    return readFollowReport(this.#followed, { relations, shown, ask: this.#askOnce.bind(this) });
  }

  /** Why no common state of the cluster can be read; undefined where one can. */
  async #learnCluster(places: Row): Promise<string | undefined> {
    const facts = clusterFacts(places);
    const terms = this.#clusterTerms;
    if (facts === undefined || facts.tables === '' || terms === undefined) return '';
    const { openCluster } = await import('./cluster/open-cluster.ts');
    this.#cluster ??= openCluster(this.#database.withOwnPool(terms.limits), terms);
    const unreachable = await this.#cluster.learn(facts);
    this.#database.distribution.cluster = unreachable === undefined ? this.#cluster : undefined;
    return unreachable;
  }

  async #versionOf(scope: string): Promise<string | undefined> {
    if (scope === SEVERAL_SERVERS)
      return this.#lanes.check(async (_, call) => this.#cluster?.currentVersion(call));
    const relations = scope === WHOLE_DATABASE ? [] : [JSON.parse(scope) as RelationPath];
    const followed = await this.#asRead({ relations }, async (stamped) => {
      if (stamped === undefined) return undefined;
      const stamp = await this.#lanes.check((checks, call) => checks.ask(stamped.stamp, call));
      return (await stamped.moment(stamp))?.version;
    });
    return followed ?? (await this.#check(this.#version))[0] ?? undefined;
  }

  #check(statement: Statement): Promise<Row> {
    return this.#lanes.check((checks, call) => checks.ask({ ...statement, named: true }, call));
  }

  #asRead<Value>(
    terms: Parameters<OpenFeed['asRead']>[0],
    work: (stamped: StampedRead | undefined) => Promise<Value>,
  ): Promise<Value> {
    return this.#feed?.asRead(terms, work) ?? work(undefined);
  }

  #askOnce(statement: Statement): Promise<Row> {
    return this.#lanes.keepHouse((pages, call) => pages.ask(statement, call));
  }
}
