import { Pools, QueryFailedError, SettingsError } from '@proj/engine/database';

import { OTHER_STATE } from '../states/cluster-state.ts';
import { OTHER_DISTRIBUTION } from './distribution.ts';

/** The servers of a cluster were changed while snapshots of them were taken. */
export class NoCommonStateError extends Error {
  override readonly name = 'NoCommonStateError';
}

/** What a read relied on was replaced meanwhile, and what it found may be of two states. */
export class ReplacedMeanwhileError extends Error {
  override readonly name = 'ReplacedMeanwhileError';
}

/**
 * What a SQLSTATE means to a query: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const MEANINGS = [
  // The server shuts down, crashed or starts, or the protocol broke; or the server ended the
  // session since its transaction was idle, or open, for longer than a role may leave one.
  [/^(08|25P0[34]|57(?!014))/, 'lost'],
  // A serialization failure, as by the recovery of a standby, or a deadlock; a snapshot that is too
  // old.
  [/^(40|72)/, 'conflict'],
  // A cached plan no longer matches its table; a pooler has changed the session under a prepared
  // statement.
  [/^(0A000|26000|42P05)$/, 'stale_plan'],
  [/^57014$/, 'stopped'],
  // A text of more than 1 GiB, the most that one value can hold.
  [/^54000$/, 'too_large'],
  // Somebody alters the table: it will be free again, and so waiting callers may try again.
  [/^55P03$/, 'locked'],
  // The statement takes more than a role may, as `temp_file_limit` says.
  [/^53400$/, 'over_limit'],
  [/^(53|58|F0|55006$)/, 'unavailable'],
  // Tables, columns, rights on them, or the types behind an operator are no longer those of the
  // catalogue; or a function that a view calls meets this, which shows when the catalogue turns out
  // to be current.
  [/^(42P01|42703|42704|42501|42725|42804|42809|42846|42883|3F000|55000)$/, 'schema_changed'],
  // Values of a filter were checked before they became parameters, so what is refused here is the
  // data; or a function raised it, or a domain refuses a value.
  [/^(20|21|22|23|44|P0)/, 'data_error'],
  // A function that writes, or that fails outside the database; a view too deep for the server, or
  // one that leads to itself; a broken table or index; what the nodes of a cluster fail by.
  [/^(25006$|2F|38|39|42P17$|54|HV|XX)/, 'unreadable'],
  // The login or the name of the database is wrong.
  [/^(28|3D000)/, 'denied'],
  // A code that a function has chosen.
  [/^[A-Z][0-9A-Z]{4}$/, 'data_error'],
] as const satisfies readonly (readonly [RegExp, string])[];

/** What kind of error it is. */
export type ErrorKind = (typeof MEANINGS)[number][1] | 'replaced' | 'no_common_state' | 'other';

export function errorKind(error: unknown): ErrorKind {
  if (error instanceof Pools.ConnectionLostError || isDropped(error)) return 'lost';
  if (error instanceof ReplacedMeanwhileError) return 'replaced';
  if (error instanceof NoCommonStateError) return 'no_common_state';
  if (isOtherDistribution(error)) return 'schema_changed';
  const code = sqlState(error);
  // An error of the operating system, such as ECONNRESET. A certificate of somebody else's is not
  // one.
  if (/^E(?!RR_TLS_CERT)[A-Z_]+$/.test(code)) return 'lost';
  return MEANINGS.find(([pattern]) => pattern.test(code))?.[1] ?? 'other';
}

export function isLost(error: unknown): boolean {
  return errorKind(error) === 'lost';
}

/** The driver words the loss of a connection as a plain error. */
function isDropped(error: unknown): boolean {
  return (
    error instanceof Error &&
    !('code' in error) &&
    /^(Connection terminated|Client has encountered|timeout exp)/.test(error.message)
  );
}

/** Whether a read failed since other tables are distributed than those that were found. */
function isOtherDistribution(error: unknown): boolean {
  return quotes(error, OTHER_DISTRIBUTION);
}

/** Whether the snapshot of a server was of another state than it had to be. */
export function isOtherState(error: unknown): boolean {
  return quotes(error, OTHER_STATE);
}

/** Whether a statement failed by a text that no value can be read from, and which it quotes. */
function quotes(error: unknown, text: string): boolean {
  return sqlState(error) === '22P02' && error instanceof Error && error.message.includes(text);
}

/**
 * A prepared statement is missing, or is there already: a pooler has put another session under the
 * connection.
 */
export function isMovedSession(error: unknown): boolean {
  return /^(26000|42P05)$/.test(sqlState(error));
}

/**
 * The error by which a caller learns that a statement failed. It carries neither SQL nor values.
 */
export function toQueryError(error: unknown): Error {
  if (error instanceof QueryFailedError) return error;
  if (error instanceof SettingsError)
    return new QueryFailedError('database_unavailable', error.message);
  const message = error instanceof Error ? error.message : String(error);
  const kind = errorKind(error);
  const [failure, words] = FAILURES[kind] ?? [];
  if (failure !== undefined) return new QueryFailedError(failure, `${words ?? ''}${message}`);
  const described = `PostgreSQL ${sqlState(error)}: ${message}`;
  if (kind === 'other') return new Error(described);
  if (kind === 'data_error') return raised(kind, error);
  return /^(38|39|HV)/.test(sqlState(error))
    ? raised('model_unreadable', error)
    : new QueryFailedError('model_unreadable', described);
}

const UNANSWERED = ['database_unavailable', 'The database gave no answer: '] as const;

/**
 * How a caller learns of errors, each before its own words. A statement that does not suit its plan
 * on the second try either asks for what the server does not support, as one that is unreadable.
 */
const FAILURES: Partial<Record<ErrorKind, readonly [QueryFailedError['code'], string]>> = {
  lost: UNANSWERED,
  conflict: UNANSWERED,
  unavailable: UNANSWERED,
  locked: UNANSWERED,
  denied: UNANSWERED,
  replaced: ['database_unavailable', 'What was read may be of two states: '],
  no_common_state: ['no_common_state', ''],
  too_large: ['reply_too_large', ''],
  over_limit: [
    'query_timeout',
    'The statement takes more than a limit of its role or server allows: ',
  ],
  stopped: ['query_timeout', 'The database stopped the statement: '],
  schema_changed: ['schema_changed', ''],
};

/** What an expression or a function raised: its words may hold values of rows. */
export function raised(code: QueryFailedError['code'], error: unknown): QueryFailedError {
  const words = error instanceof Error ? error.message : String(error);
  return new QueryFailedError(code, `PostgreSQL ${sqlState(error)}`, { words });
}

/** The SQLSTATE of an error of the server, or the code of one of the operating system. */
export function sqlState(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
