import { performance } from 'node:perf_hooks';

import type { ClientConfig } from 'pg';

import { SettingsError } from '../../errors.ts';
import { minifyJson } from '../../query/minify-json.ts';
import type { PoolLimits } from '../connection-pool.ts';
import type { PageRows, PageStatements, Patience, Source } from '../source.ts';
import { Database } from './database.ts';
import { postgresDialect } from './dialect.ts';
import { INTROSPECTION, relationsOf } from './introspect.ts';
import { ROLE, roleWarnings } from './role-warnings.ts';

const LIMITS: PoolLimits = { connections: 10, maxWaiting: 1000, maxWaitMs: 2000 };

/** Reading the schema or answering a ping waits so long at most. */
const HOUSEKEEPING: Patience = { signal: undefined, timeoutMs: 10_000 };

/**
 * Of a statement that it keeps, a session makes one plan for any page as soon as the plans for single pages cost no less. After a walk
 * through deep pages they do, and a large table's first page would then be sorted out of the whole. So deep pages are planned each time,
 * which next to reading them costs nothing.
 */
const DEEPEST_KEPT_OFFSET = 1000n;

/**
 * Connects to a PostgreSQL server, or to one that speaks its protocol.
 *
 * @throws {SettingsError} when the URL is no good or the server refuses it
 * @throws {QueryFailedError} when the server does not answer
 */
export async function openPostgres(url: string, limits: PoolLimits = LIMITS): Promise<Source> {
  const database = await Database.open(clientConfig(url), limits);
  const once = (statement: PageStatements['rows']) => database.ask({ statement, named: false }, HOUSEKEEPING);
  return {
    dialect: postgresDialect,
    introspect: async () => relationsOf(await once(INTROSPECTION)),
    readPage: (statements, patience) => readPage(database, statements, patience),
    ping: async () => {
      await once({ sql: 'select 1', parameters: [] });
    },
    warnings: async () => roleWarnings(await once(ROLE)),
    close: () => database.close(),
  };
}

function clientConfig(url: string): ClientConfig {
  if (!URL.canParse(url)) throw new SettingsError('database: expected a URL such as postgres://user:password@host:5432/shop.');
  return { connectionString: url, application_name: 'dynamic-query' };
}

/** Reads rows and total in one statement, which has one snapshot. How much of its time the count took cannot be told. */
async function readPage(database: Database, statements: PageStatements, patience: Patience): Promise<PageRows> {
  const { together, rows, fields, offset } = statements;
  const started = performance.now();
  const [text, total] = await database.ask({ statement: together ?? rows, named: offset <= DEEPEST_KEPT_OFFSET }, patience);
  const json = fields.some(holdsJson) ? minifyJson(text ?? '[]') : (text ?? '[]');
  return { json, total: BigInt(total ?? 0), milliseconds: { rows: performance.now() - started, count: 0 } };
}

/** White space inside a JSON column travels from no database. */
function holdsJson({ type, items }: PageStatements['fields'][number]): boolean {
  return type === 'json' || items === 'json';
}
