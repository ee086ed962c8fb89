import { Pools, QueryFailedError, SettingsError } from '@proj/engine/database';

import { OTHER_STATE } from '../states/cluster-state.ts';
import { OTHER_DISTRIBUTION } from './distribution.ts';

export class NoCommonStateError extends Error {
  override readonly name = 'NoCommonStateError';

  constructor(message = 'Servers of the cluster were written to meanwhile.') {
    super(message);
  }
}

/** What a read relied on was replaced, so it may have found two states. */
export class ReplacedMeanwhileError extends Error {
  override readonly name = 'ReplacedMeanwhileError';
}

/** By SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const MEANINGS = [
  // Shutdown, crash, start-up, a broken protocol, or a transaction idle or open for too long.
  [/^(08|25P0[34]|57(?!014))/, 'lost'],
  // Serialization failures (as by a standby's recovery), deadlocks, snapshots too old.
  [/^(40|72)/, 'conflict'],
  // A cached plan no longer fits; or a pooler moved a prepared statement's session.
  [/^(0A000|26000|42P05)$/, 'stale_plan'],
  [/^57014$/, 'stopped'],
  // A text beyond 1 GiB, the limit of a value.
  [/^54000$/, 'too_large'],
  // Somebody alters the table; callers may try again.
  [/^55P03$/, 'locked'],
  // Limits of a role, such as `temp_file_limit`.
  [/^53400$/, 'over_limit'],
  [/^(53|58|F0|55006$)/, 'unavailable'],
  // Tables, columns, rights or operator types differ from the catalogue's; or a view's function met
  // this, if the catalogue turns out to be current.
  [/^(42P01|42703|42704|42501|42725|42804|42809|42846|42883|3F000|55000)$/, 'schema_changed'],
  // Filter values are checked beforehand: bad data, or raised by a function or domain.
  [/^(20|21|22|23|44|P0)/, 'data_error'],
  // Writing or failing functions, too deep or recursive views, broken tables, cluster nodes'
  // failures.
  [/^(25006$|2F|38|39|42P17$|54|HV|XX)/, 'unreadable'],
  // Wrong login or database name.
  [/^(28|3D000)/, 'denied'],
  // A function's own code.
  [/^[A-Z][0-9A-Z]{4}$/, 'data_error'],
] as const satisfies readonly (readonly [RegExp, string])[];

export type ErrorKind = (typeof MEANINGS)[number][1] | 'replaced' | 'no_common_state' | 'other';

export function errorKind(error: unknown): ErrorKind {
  if (error instanceof Pools.ConnectionLostError || isDropped(error)) return 'lost';
  if (error instanceof ReplacedMeanwhileError) return 'replaced';
  if (error instanceof NoCommonStateError) return 'no_common_state';
  if (quotes(error, OTHER_DISTRIBUTION)) return 'schema_changed';
  const code = sqlState(error);
  // Of the operating system, such as ECONNRESET; not an untrusted certificate.
  if (/^E(?!RR_TLS_CERT)[A-Z_]+$/.test(code)) return 'lost';
  return MEANINGS.find(([pattern]) => pattern.test(code))?.[1] ?? 'other';
}

export function isLost(error: unknown): boolean {
  return errorKind(error) === 'lost';
}

/** The driver reports a lost connection as a plain error. */
function isDropped(error: unknown): boolean {
  return (
    error instanceof Error &&
    !('code' in error) &&
    /^(Connection terminated|Client has encountered|timeout exp)/.test(error.message)
  );
}

export function isOtherState(error: unknown): boolean {
  return quotes(error, OTHER_STATE);
}

/** Whether a statement failed on purpose, by an unreadable text that the error quotes. */
function quotes(error: unknown, text: string): boolean {
  return sqlState(error) === '22P02' && error instanceof Error && error.message.includes(text);
}

/** A prepared statement is missing or already there: a pooler moved the session. */
export function isMovedSession(error: unknown): boolean {
  return /^(26000|42P05)$/.test(sqlState(error));
}

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

const UNANSWERED = ['database_unavailable', 'The database did not answer: '] as const;

/** Code and start of the message. A plan stale twice asks for something unsupported. */
const FAILURES: Partial<Record<ErrorKind, readonly [QueryFailedError['code'], string]>> = {
  lost: UNANSWERED,
  conflict: UNANSWERED,
  unavailable: UNANSWERED,
  locked: UNANSWERED,
  denied: ['database_unavailable', ''],
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

/** Messages of expressions and functions may hold values of rows. */
export function raised(code: QueryFailedError['code'], error: unknown): QueryFailedError {
  const words = error instanceof Error ? error.message : String(error);
  return new QueryFailedError(code, `PostgreSQL ${sqlState(error)}`, { words });
}

export function sqlState(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
