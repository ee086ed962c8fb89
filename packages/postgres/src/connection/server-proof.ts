import type { Statement } from '@proj/engine/database';

import type { Row } from './connection.ts';
import { type ErrorKind, errorKind } from './errors.ts';
import { beginStatement } from './session.ts';

/** Sends a statement over a connection, and gives its only row. */
export type AskOnce = (statement: Statement) => Promise<Row>;

/** What a server was found to be. */
export interface ServerFinding {
  /** What it calls itself. */
  readonly name: string;
  /** Why its snapshots and their versions are not relied on; undefined where they are. */
  readonly gap: string | undefined;
  /**
   * Whether there is a gap only since Citus may read tables from other servers: the snapshots of
   * each server are those of a PostgreSQL.
   */
  readonly isCitus: boolean;
}

/**
 * The functions that versions are made of, under the numbers that PostgreSQL gives them:
 * https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/catalog/pg_proc.dat
 */
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

/**
 * The tables of the system catalogue from PostgreSQL 12 to 18. Who stores data in another way, or
 * on several servers, has tables of its own there, which say where the data is.
 */
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

/** Which process of which server answers, and what its snapshot is. */
export const OBSERVED = `
select pg_backend_pid()::text, pg_postmaster_start_time()::text, pg_current_snapshot()::text`;

/**
 * Statements of different kinds, since a proxy may route those with a table, with a parameter or
 * with neither to different servers.
 */
const OBSERVATIONS: readonly Statement[] = [
  { sql: OBSERVED, parameters: [] },
  {
    sql: `${OBSERVED} from pg_catalog.pg_class where oid = 1259 and age(xmin) >= 0`,
    parameters: [],
  },
  { sql: `${OBSERVED} where $1 = 'read'`, parameters: ['read'] },
];

/** How often each statement is repeated, to detect a proxy that chooses servers at random. */
export const ROUNDS = 3;

/** Errors that say nothing of what kind of server it is. */
const PASSING: ReadonlySet<ErrorKind> = new Set([
  'lost',
  'conflict',
  'locked',
  'unavailable',
  'stopped',
  'over_limit',
]);

/**
 * Finds out whether versions and snapshots of a server can be relied on, whatever product it claims
 * to be: whether it has the catalogue and the functions of PostgreSQL, and whether one process and
 * one snapshot answer all statements of a transaction. Takes one round trip.
 */
export async function proveServer(ask: AskOnce): Promise<ServerFinding> {
  const rounds = Array.from({ length: ROUNDS }, () => OBSERVATIONS).flat();
  const statements = [BEGIN, KIND, ...rounds, ROLLBACK];
  const answers = await Promise.allSettled(statements.map(ask));
  const refusals = answers.filter((answer) => answer.status === 'rejected');
  for (const { reason } of refusals) if (PASSING.has(errorKind(reason))) throw reason;
  const rows = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const [, kind = [], ...observed] = rows.slice(0, -1);
  const [name] = kind;
  const [, foreign] = kind;
  const gapBeside = gapOfFunctions(kind) ?? gapOfRefusals(refusals) ?? gapOfTransaction(observed);
  return {
    name: name ?? 'a server without a name',
    gap: gapOfCatalogue(foreign) ?? gapBeside,
    isCitus: isOfCitus(foreign) && gapBeside === undefined,
  };
}

function gapOfCatalogue(foreign: Row[number] | undefined): string | undefined {
  return typeof foreign === 'string'
    ? `its catalogue has tables that no PostgreSQL up to 18 has (${foreign})`
    : undefined;
}

/** Whether all such tables have names as Citus gives them. */
function isOfCitus(foreign: Row[number] | undefined): boolean {
  return foreign?.split(', ').every((name) => name.startsWith('pg_dist_')) ?? false;
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
