import { SettingsError, type Statement } from '@proj/engine/database';

import type { Connection, Row } from './connection.ts';
import { type ErrorKind, errorKind } from './errors.ts';
import { beginStatement } from './session.ts';

export type AskOnce = (statement: Statement) => Promise<Row>;

export interface ServerFinding {
  readonly name: string;
  /** Why its snapshots and versions are unreliable; undefined where they are reliable. */
  readonly gap: string | undefined;
  /** Whether Citus is the only gap: each server's own snapshots are PostgreSQL's. */
  readonly isCitus: boolean;
}

/** By PostgreSQL's numbers, as in its `src/include/catalog/pg_proc.dat`. */
const FUNCTIONS: ReadonlyMap<string, number> = new Map([
  ['pg_backend_pid()', 2026],
  ['pg_current_snapshot()', 5061],
  ['pg_is_in_recovery()', 3810],
  ['pg_postmaster_start_time()', 2560],
  ['pg_snapshot_xmax(pg_snapshot)', 5063],
  ['pg_snapshot_xmin(pg_snapshot)', 5062],
  ['pg_stat_get_bgwriter_stat_reset_time()', 3075],
]);

const IDS = [...FUNCTIONS.values()].join(', ');

/** PostgreSQL 12 to 18. Products that store data otherwise have more tables. */
const CATALOGUE = `
  aggregate am amop amproc attrdef attribute auth_members authid cast class collation constraint
  conversion database db_role_setting default_acl depend description enum event_trigger extension
  foreign_data_wrapper foreign_server foreign_table index inherits init_privs language largeobject
  largeobject_metadata namespace opclass operator opfamily parameter_acl partitioned_table
  pltemplate policy proc publication publication_namespace publication_rel range
  replication_origin rewrite seclabel sequence shdepend shdescription shseclabel statistic
  statistic_ext statistic_ext_data subscription subscription_rel tablespace transform trigger
  ts_config ts_config_map ts_dict ts_parser ts_template type user_mapping`
  .trim()
  .split(/\s+/)
  .map((name) => `pg_${name}`);

const BEGIN: Statement = { sql: beginStatement(new Map(), 'repeatable read'), parameters: [] };
const ROLLBACK: Statement = { sql: 'rollback', parameters: [] };

const KIND: Statement = {
  parameters: [],
  sql: `
select
  version(),
  (
    select string_agg(c.relname::text, ', ' order by c.relname::text)
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'pg_catalog'
      and c.relkind in ('r', 'p')
      and c.relname <> all (array[${listOf(CATALOGUE)}])
  ),
  (
    select string_agg(needed.name, ', ')
    from unnest(array[${listOf(FUNCTIONS.keys())}], array[${IDS}])
      as needed (name, id)
    where to_regprocedure('pg_catalog.' || needed.name)::oid is distinct from needed.id::oid
  ),
  (
    select string_agg(p.proname::text, ', ')
    from pg_catalog.pg_proc p
    where p.oid = any (array[${IDS}]::oid[])
      and not has_function_privilege(p.oid, 'execute')
  )`,
};

export const OBSERVED = `
select pg_backend_pid()::text, pg_postmaster_start_time()::text, pg_current_snapshot()::text`;

/** A proxy may route statements by whether they have a table or a parameter. */
const OBSERVATIONS: readonly Statement[] = [
  { sql: OBSERVED, parameters: [] },
  {
    sql: `${OBSERVED} from pg_catalog.pg_class where oid = 1259 and age(xmin) >= 0`,
    parameters: [],
  },
  { sql: `${OBSERVED} where $1 = 'read'`, parameters: ['read'] },
];

export const ROUNDS = 3;

const PASSING: ReadonlySet<ErrorKind> = new Set([
  'lost',
  'conflict',
  'locked',
  'unavailable',
  'stopped',
  'over_limit',
]);

/** Whatever the product: PostgreSQL's functions, and one process and snapshot for a transaction. */
export async function proveServer(ask: AskOnce): Promise<ServerFinding> {
  const rounds = Array.from({ length: ROUNDS }, () => OBSERVATIONS).flat();
  const statements = [BEGIN, KIND, ...rounds, ROLLBACK];
  const answers = await Promise.allSettled(statements.map(ask));
  const refusals = answers.filter((answer) => answer.status === 'rejected');
  for (const { reason } of refusals) if (PASSING.has(errorKind(reason))) throw reason;
  const rows = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const [, kind = [], ...observed] = rows.slice(0, -1);
  const [name, foreign] = kind;
  const gapBeside = gapOfFunctions(kind) ?? gapOfRefusals(refusals) ?? gapOfTransaction(observed);
  return {
    name: name ?? 'a server without a name',
    gap:
      typeof foreign === 'string'
        ? `its catalogue has tables that no PostgreSQL up to 18 has (${foreign})`
        : gapBeside,
    isCitus:
      gapBeside === undefined &&
      foreign?.split(', ').every((table) => table.startsWith('pg_dist_')) === true,
  };
}

function gapOfFunctions([, , missing, refused]: Row): string | undefined {
  if (typeof missing === 'string') return `it lacks functions of PostgreSQL 13 (${missing})`;
  if (typeof refused === 'string') return `the role may not execute ${refused}`;
  return undefined;
}

function gapOfRefusals([refusal]: readonly PromiseRejectedResult[]): string | undefined {
  if (refusal === undefined) return undefined;
  const { message = 'without a reason' } = Object(refusal.reason) as Partial<Error>;
  return `it refuses what versions are made of (${message})`;
}

function gapOfTransaction(observed: readonly Row[]): string | undefined {
  const [processes, servers, snapshots] = [0, 1, 2].map(
    (place) => new Set(observed.map((row) => row[place])).size,
  );
  if (processes !== 1 || servers !== 1)
    return 'statements of one transaction are answered by several processes of servers';
  return snapshots === 1 ? undefined : 'statements of one transaction see several snapshots';
}

function listOf(words: Iterable<string>): string {
  return Array.from(words, (word) => `'${word}'`).join(', ');
}

/** Our end, as the server sees it. */
const CLIENT_PORT: Statement = { parameters: [], sql: 'select inet_client_port()::text' };

/** Pgpool-II answers itself; PostgreSQL knows none of these. */
const POOL_VERSION: Statement = { parameters: [], sql: 'show pool_version' };
const BALANCES: Statement = { parameters: [], sql: 'pgpool show load_balance_mode' };

/** As far as ports show it. */
export async function isRelayed(connection: Connection): Promise<boolean> {
  const { localPort } = connection;
  if (localPort === undefined) return false;
  const [seenPort] = await answerOf(connection, CLIENT_PORT);
  return seenPort !== String(localPort);
}

/**
 * Asked only behind a proxy, to keep server logs clean.
 * @throws {SettingsError} for a Pgpool-II that splits sessions: a page would see two states
 */
export async function refuseBalancer(connection: Connection): Promise<void> {
  const [version] = await answerOf(connection, POOL_VERSION);
  if (version === undefined) return;
  const [balances] = await answerOf(connection, BALANCES);
  if (balances !== 'off')
    throw new SettingsError(
      'database: Pgpool-II is before the servers and sends the statements of one page to several ' +
        'of them, which show different states. Set load_balance_mode = off in pgpool.conf, or ' +
        'name the primary itself and its standbys under replicas.',
    );
}

/** Without NULLs; empty where the server refuses the statement. */
async function answerOf(connection: Connection, statement: Statement): Promise<readonly string[]> {
  const row = await connection.query(statement, false).catch(() => []);
  return row.flatMap((value) => value ?? []);
}
