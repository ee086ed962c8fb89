import { hash } from 'node:crypto';

import type { RelationPath, Statement, StatementSession } from '@proj/engine/database';

import type { Row } from '../../connection/connection.ts';
import { DATABASE_INSTANCE } from '../setup/requirements.ts';
import { type Lsn, parseLsn } from '../../log/lsn.ts';
import { TransactionSnapshot } from '../../log/snapshot.ts';
import { SNAPSHOT_VERSION_TEXT } from '../../states/version.ts';
import { proofOf } from '../../versions/definition.ts';

/** The subquery hides the number of oids from the planner, which would replan each time. */
const MEMBERS = 'any((select $3::oid[])::oid[])';
const COLUMN_TYPES = 'any((select $5::oid[])::oid[])';

/** Rows of a catalogue: its name, the columns that identify one, those to notice, a condition. */
type CatalogueRows = readonly [name: string, columns: string, condition: string];

/** What changes the rows that a relation shows without changing one. */
const OF_RELATION: readonly CatalogueRows[] = [
  ['pg_class', 'oid, relfilenode', `oid = ${MEMBERS}`],
  ['pg_inherits', 'inhparent, inhrelid', `inhparent = ${MEMBERS}`],
  ['pg_attribute', 'attnum', 'attrelid = $1::oid and attnum > 0'],
  ['pg_index', 'indexrelid', `indrelid = ${MEMBERS}`],
  ['pg_constraint', 'oid', `conrelid = ${MEMBERS}`],
  ['pg_namespace', 'oid', 'oid = $2::oid'],
  ['pg_publication', 'oid', 'pubname = $4'],
  ['pg_publication_rel', 'oid', `prrelid = ${MEMBERS}`],
];

/** Schemas can be published since PostgreSQL 15. */
const FIRST_WITH_PUBLISHED_SCHEMAS = 150_000;

const PUBLISHED_SCHEMAS: CatalogueRows = [
  'pg_publication_namespace',
  'oid',
  `pnnspid in (select relnamespace from pg_class where oid = ${MEMBERS})`,
];

/** What changes how values are printed and compared. */
const OF_TYPES: readonly CatalogueRows[] = [
  ['pg_type', 'oid', `oid = ${COLUMN_TYPES}`],
  ['pg_enum', 'oid', `enumtypid = ${COLUMN_TYPES}`],
  [
    'pg_attribute',
    'attrelid, attnum',
    `attrelid in (select typrelid from pg_type where oid = ${COLUMN_TYPES}) and attnum > 0`,
  ],
  ['pg_cast', 'oid', `castsource = ${COLUMN_TYPES} or casttarget = ${COLUMN_TYPES}`],
  ['pg_operator', 'oid', `oprleft = ${COLUMN_TYPES} or oprright = ${COLUMN_TYPES}`],
  ['pg_proc', 'oid', `oid in (${functionsOf(COLUMN_TYPES)})`],
];

export interface StampedParts {
  readonly oid: number;
  readonly schema: number;
  /** Oids of all tables with its rows, and of partitioned ones between. */
  readonly members: readonly number[];
  /** Oids of its columns' types, and of types in these, unless built in. */
  readonly types: readonly number[];
}

/**
 * What a read records in its snapshot: visible transactions, the log position after it, the server,
 * and a hash of the catalogue's rows. Members and types are not searched again: adding one changes
 * the row of a listed one.
 *
 * @param serverVersion such as 150004
 */
export function stampStatement(
  { oid, schema, members, types }: StampedParts,
  publication: string,
  serverVersion: number,
): Statement {
  const parameters = [oid, schema, array(members), publication];
  const hashed = [
    ...OF_RELATION,
    ...(serverVersion >= FIRST_WITH_PUBLISHED_SCHEMAS ? [PUBLISHED_SCHEMAS] : []),
    ...(types.length === 0 ? [] : OF_TYPES),
  ];
  return {
    parameters: types.length === 0 ? parameters : [...parameters, array(types)],
    sql: `
select
  pg_current_snapshot()::text,
  case when pg_is_in_recovery() then '0/0' else pg_current_wal_insert_lsn()::text end,
  ${DATABASE_INSTANCE},
  encode(sha256(convert_to(${statesOf(hashed)}, 'UTF8')), 'hex')`,
  };
}

/**
 * A changed publication applies from its commit record on, but snapshots see its new row only after
 * a synchronous standby has confirmed. The old row's `xmax` shows it earlier.
 */
function statesOf(catalogues: readonly CatalogueRows[]): string {
  const states = catalogues.map(
    ([name, columns, condition]) => `(
    select string_agg(concat_ws(' ', ${columns}, xmin, xmax), ',' order by ${columns})
    from ${name}
    where ${condition}
  )`,
  );
  return `concat(${states.join(", '|', ")})`;
}

/** Oids of functions that read, print, cast and compare; `types` is SQL that an oid equals. */
export function functionsOf(types: string): string {
  return `
    select unnest(array[own.typinput, own.typoutput]::oid[])
    from pg_type own
    where own.oid = ${types}
    union all
    select own.castfunc
    from pg_cast own
    where own.castsource = ${types} or own.casttarget = ${types}
    union all
    select own.oprcode::oid
    from pg_operator own
    where own.oprleft = ${types} or own.oprright = ${types}
    union all
    select own.amproc::oid
    from pg_amproc own
    where own.amproclefttype = ${types} or own.amprocrighttype = ${types}`;
}

function array(oids: readonly number[]): string {
  return `{${oids.join(',')}}`;
}

export interface Stamp {
  readonly snapshot: TransactionSnapshot;
  /** Every commit that the snapshot sees is in the log before this position. */
  readonly insertLsn: Lsn;
  readonly instance: string;
  readonly fingerprint: string;
  /** Whether the shown rows are still decided alike; true where they are all rows. */
  readonly showsSame: boolean;
}

export function stampOf([snapshot, lsn, instance, fingerprint, showsSame = 'true']: Row): Stamp {
  return {
    snapshot: TransactionSnapshot.parse(snapshot ?? ''),
    insertLsn: parseLsn(lsn ?? ''),
    instance: instance ?? '',
    fingerprint: fingerprint ?? '',
    showsSame: showsSame === 'true',
  };
}

/**
 * Changes whenever the publication does. Then a new slot is created, after all transactions that
 * wrote before have ended: the old slot's decoder may believe that a table is still unpublished for
 * them, and leave out its changes.
 */
export function publicationState(publication: string, serverVersion: number): Statement {
  const id = '(select oid from pg_publication where pubname = $1)';
  const states: CatalogueRows[] = [
    ['pg_publication', 'oid', 'pubname = $1'],
    ['pg_publication_rel', 'oid', `prpubid = ${id}`],
  ];
  if (serverVersion >= FIRST_WITH_PUBLISHED_SCHEMAS)
    states.push(['pg_publication_namespace', 'oid', `pnpubid = ${id}`]);
  return { parameters: [publication], sql: `select ${statesOf(states)}` };
}

/** Rows that the database shows to some callers. */
export interface ShownRows {
  /** The same for callers who are shown the same rows only. */
  readonly name: string;
  /** Has only the settings that decide which rows are shown. */
  readonly session: StatementSession;
  /** As in `RoleAccess`; undefined for all rows. */
  readonly definition: string | undefined;
}

export interface FollowedRows {
  readonly relation: RelationPath;
  readonly shown: ShownRows | undefined;
}

/** A prepared query's session recurs. */
const known = new WeakMap<StatementSession, ShownRows>();

/** Undefined where more data decides which rows these are. */
export function shownRows(session: StatementSession): ShownRows | undefined {
  const { shownBy } = session;
  if (shownBy === undefined) return undefined;
  const before = known.get(session);
  if (before !== undefined) return before;
  const { definition, settings } = shownBy;
  const named = Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const name = hash('sha256', JSON.stringify([session.role, definition, named]), 'base64url');
  const others = Object.keys(session.settings).map((other) => [other, '']);
  const own = { ...session, settings: { ...Object.fromEntries(others), ...settings } };
  const shown = { name, session: own, definition };
  known.set(session, shown);
  return shown;
}

/** Of the data's version in a caller's stamp. */
export const VERSION_OF_CALLER = 5;

/** Of the service: whoever gets it by a role may lose it without a change of the table. */
const MAY_READ = `coalesce(has_table_privilege($1::oid, 'select'), true)::text`;

/**
 * Adds whether the shown rows are still decided alike, and for a caller the data's version, where
 * the service's own right is not asked for.
 */
export function stampOfRows(stamp: Statement, { relation: path, shown }: FollowedRows): Statement {
  const { sql, parameters } = stamp;
  if (shown === undefined) return { sql: `select s.*, ${MAY_READ} from (${sql}) as s`, parameters };
  const { definition } = shown;
  const proof = definition === undefined ? 'true' : proofOf({ path, definition });
  return {
    sql: `select s.*, (${proof})::text, ${SNAPSHOT_VERSION_TEXT} from (${sql}) as s`,
    parameters,
  };
}
