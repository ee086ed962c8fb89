import { sql } from 'kysely';

import { withDeadline } from '../../deadline.ts';
import { compile } from '../../sql/compile.ts';
import type { PoolLimits } from '../connection-pool.ts';
import type { Source } from '../source.ts';
import type { Statement } from '../../sql/statement.ts';
import { readPostgresUrl } from './url.ts';
import type { Row } from './connection.ts';
import { Database } from './database.ts';
import { makePostgresDialect } from './dialect.ts';
import { relationsOf } from './introspect.ts';
import { INTROSPECTION } from './introspection.ts';
import { readBatch, readCheckpoints, readPage, readRows } from './read-page.ts';
import { countOf } from './snapshot.ts';
import { HAS_SNAPSHOTS, SNAPSHOT_VERSION } from './version.ts';
import { ROLE, roleWarnings } from './warnings.ts';
import { type SessionRules, Connector } from './connect.ts';

const RULES: PostgresRules = {
  limits: { connections: 10, maxWaiting: 1000, maxWaitMs: 2000 },
  pooler: 'auto',
  queryTimeoutMs: 10_000,
};

/** What a source on PostgreSQL is opened with. */
export interface PostgresRules extends SessionRules {
  readonly limits: PoolLimits;
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
  const { limits, ...sessionRules } = { ...RULES, ...rules };
  const database = await Database.open(new Connector(readPostgresUrl(url), sessionRules), limits);
  const once = (statement: Statement): Promise<Row> =>
    withDeadline(HOUSEKEEPING, (call) => database.ask({ statement, named: false }, call));
  const [answer] = await withDeadline(VERSION_CHECK, (call) =>
    database.ask({ statement: HAS_SNAPSHOTS, named: false }, call),
  ).catch(() => []);
  const hasSnapshots = answer === 'true';
  const snapshot = hasSnapshots ? SNAPSHOT_VERSION : sql`null::text`;
  const dialect = makePostgresDialect(snapshot);
  const version = compile(sql`select ${snapshot}`, dialect);
  // Checks must not wait behind pages, nor pages behind an index that is being built.
  const checks = database.withOwnPool({ ...limits, connections: 1 });
  const background = database.withOwnPool({ ...limits, connections: 1 });
  return {
    dialect,
    introspect: async () => {
      const relations = relationsOf(await once(INTROSPECTION));
      return hasSnapshots
        ? relations
        : relations.map((relation) => ({ ...relation, snapshots: false, versioned: false }));
    },
    readPage: (query, range, call) =>
      readPage(database, { pages: [{ query, range }], version }, call),
    readBatch: (pages, call) => readBatch(database, { pages, version }, call),
    readRows: (rows, call) => readRows(database, rows, call),
    readCheckpoints: (checkpoints, call) => readCheckpoints(background, checkpoints, call),
    count: async (statement, call) =>
      countOf(await database.ask({ statement, named: false }, call)),
    version: async () => {
      const check = await checks.versions.of(async () => {
        const [current] = await withDeadline(VERSION_CHECK, (call) =>
          checks.ask({ statement: version, named: true }, call),
        );
        return { version: current ?? undefined };
      });
      return check.version;
    },
    shared: (text) => text.slice(text.indexOf('/') + 1),
    ping: async () => {
      await once({ sql: 'select 1', parameters: [] });
    },
    warnings: async () => roleWarnings(await once(ROLE)),
    close: async () => {
      await Promise.all([database.close(), checks.close(), background.close()]);
    },
  };
}
