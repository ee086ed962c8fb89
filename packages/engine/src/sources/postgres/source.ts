import { sql } from 'kysely';

import type { Relation } from '../../catalogue/relation.ts';
import { withDeadline } from '../../deadline.ts';
import { compile } from '../../sql/compile.ts';
import type { Dialect } from '../../sql/dialect.ts';
import type {
  KeysStatement,
  PageRange,
  QueryStatements,
  RelationPath,
  RowsStatement,
} from '../../sql/query-statements.ts';
import type { Statement } from '../../sql/statement.ts';
import type { FollowReport } from '../follow-report.ts';
import type { FollowSettings } from '../source-settings.ts';
import type { PoolLimits } from '../connection-pool.ts';
import type {
  KeysRead,
  PageRows,
  QueryPage,
  ReadCall,
  RowsRead,
  SortEstimate,
  Source,
} from '../source.ts';
import { batchShape, pageShape, rowsShape, WHOLE_RELATION } from '../statement-shape.ts';
import { Connector, type SessionRules } from './connect.ts';
import type { Row } from './connection.ts';
import { Database } from './database.ts';
import { makePostgresDialect } from './dialect.ts';
import {
  type FollowedServerSettings,
  readFollowReport,
  TOO_OLD_TO_FOLLOW,
} from './feed/followed-server.ts';
import { relationsOf } from './introspect.ts';
import { INTROSPECTION } from './introspection.ts';
import { estimateSort, readKeys } from './read-keys.ts';
import { readBatch, readPage, readRows } from './read-page.ts';
import { countOf } from './snapshot.ts';
import { readPostgresUrl } from './url.ts';
import { HAS_SNAPSHOTS, SNAPSHOT_VERSION } from './version.ts';
import { ROLE_QUERY, roleWarnings } from './warnings.ts';

const RULES: PostgresRules = {
  limits: { connections: 10, maxWaiting: 1000, maxWaitMs: 2000 },
  pooler: 'auto',
  queryTimeoutMs: 10_000,
};

/** What a source on PostgreSQL is opened with. */
export interface PostgresRules extends SessionRules {
  readonly limits: PoolLimits;
  /** Where changes are followed. Default: they are not. */
  readonly follow?: FollowSettings | undefined;
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
  const { limits, follow, ...sessionRules } = { ...RULES, ...rules };
  const database = await Database.open(new Connector(readPostgresUrl(url), sessionRules), limits);
  const [hasSnapshots] = await withDeadline(VERSION_CHECK, (call) =>
    database.ask({ statement: HAS_SNAPSHOTS, named: false }, call),
  ).catch(() => []);
  return new PostgresSource(database, {
    limits,
    hasSnapshots: hasSnapshots === 'true',
    followed: { url, follow, queryTimeoutMs: sessionRules.queryTimeoutMs },
  });
}

/** What a server is like. */
interface ServerFacts {
  readonly limits: PoolLimits;
  /** Whether its snapshots are PostgreSQL's own: otherwise each page is read in one statement. */
  readonly hasSnapshots: boolean;
  readonly followed: FollowedServerSettings;
}

class PostgresSource implements Source {
  readonly dialect: Dialect;
  readonly #database: Database;
  /** Checks of the version must not wait behind pages. */
  readonly #checks: Database;
  /** Pages must not wait behind an index that is being built. */
  readonly #background: Database;
  readonly #hasSnapshots: boolean;
  readonly #followed: FollowedServerSettings;
  /** Reads the version of the data. */
  readonly #version: Statement;

  constructor(database: Database, { limits, hasSnapshots, followed }: ServerFacts) {
    const version = hasSnapshots ? SNAPSHOT_VERSION : sql`null::text`;
    this.dialect = makePostgresDialect(version);
    this.#database = database;
    this.#checks = database.withOwnPool({ ...limits, connections: 1 });
    this.#background = database.withOwnPool({ ...limits, connections: 1 });
    this.#hasSnapshots = hasSnapshots;
    this.#followed = followed;
    this.#version = compile(sql`select ${version}`, this.dialect);
  }

  async introspect(): Promise<Relation[]> {
    const relations = relationsOf(await this.#askOnce(INTROSPECTION));
    return this.#hasSnapshots
      ? relations
      : relations.map((relation) => ({ ...relation, snapshots: false, versioned: false }));
  }

  readPage(query: QueryStatements, range: PageRange, call: ReadCall): Promise<PageRows> {
    const page = { query, range };
    const shaped = { ...call, shape: pageShape(page) };
    return readPage(this.#database, { pages: [page], version: this.#version }, shaped);
  }

  readBatch(pages: readonly QueryPage[], call: ReadCall): Promise<PageRows[]> {
    const shaped = { ...call, shape: batchShape(pages) };
    return readBatch(this.#database, { pages, version: this.#version }, shaped);
  }

  readRows(rows: RowsStatement, call: ReadCall): Promise<RowsRead> {
    return readRows(this.#database, rows, { ...call, shape: rowsShape(rows) });
  }

  readKeys(keys: KeysStatement, call: ReadCall): Promise<KeysRead> {
    return readKeys(this.#background, keys, call);
  }

  estimateSort(keys: KeysStatement, call: ReadCall): Promise<SortEstimate> {
    return estimateSort(this.#background, keys, call);
  }

  async count(statement: Statement, call: ReadCall): Promise<bigint> {
    const shaped = { ...call, shape: WHOLE_RELATION };
    return countOf(await this.#database.ask({ statement, named: false }, shaped));
  }

  async version(): Promise<string | undefined> {
    const { version } = await this.#checks.versions.of(async () => {
      const [current] = await withDeadline(VERSION_CHECK, (call) =>
        this.#checks.ask({ statement: this.#version, named: true }, call),
      );
      return { version: current ?? undefined };
    });
    return version;
  }

  shared(version: string): string {
    return version.slice(version.indexOf('/') + 1);
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
    const databases = [this.#database, this.#checks, this.#background];
    await Promise.all(databases.map((database) => database.close()));
  }

  #askOnce(statement: Statement): Promise<Row> {
    return withDeadline(HOUSEKEEPING, (call) =>
      this.#database.ask({ statement, named: false }, call),
    );
  }
}
