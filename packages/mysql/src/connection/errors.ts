import { Pools, QueryFailedError } from '@proj/engine/database';

/**
 * Error numbers: https://mariadb.com/docs/server/reference/error-codes and the MySQL server error
 * message reference.
 */
/** Somebody else stopped the statement, by `kill query`. */
const isCancelled = oneOf([1317]);
/** The server ended the statement because somebody asked for it or because it ran too long. */
export const isStopped = oneOf([1317, 1969, 3024]);
/** The statement takes more than the server lets it: time, rows that it looks at, or space. */
const isOverLimit = oneOf([1038, 1104, 1114, 1153, 1969, 3024, 3636]);
/** The settings of the server that such numbers are about, where its own words may not say so. */
const SETTINGS: ReadonlyMap<number, string> = new Map([
  [1038, 'sort_buffer_size'],
  [1040, 'max_connections'],
  [1104, 'max_join_size'],
  [1153, 'max_allowed_packet'],
  [1969, 'max_statement_time'],
  [3024, 'max_execution_time'],
  [3636, 'cte_max_recursion_depth'],
]);
/** Others held a lock; once more may well succeed. */
export const isLocked = oneOf([1205, 1213, 1615]);
/**
 * Since a transaction's snapshot was taken, the table was emptied or altered: the snapshot shows
 * nothing of it.
 */
export const isSnapshotTooOld = oneOf([1412]);
/** The account lacks a global right. */
export const isPrivilegeMissing = oneOf([1227]);
/** The thread that should be stopped has ended already. */
export const isNoSuchThread = oneOf([1094]);
const isLostByNumber = oneOf([
  1053, 1077, 1078, 1079, 1080, 1152, 1156, 1157, 1158, 1159, 1160, 1161, 1184, 1927, 2002, 2003,
  2006, 2013, 3169, 4031,
]);
/** 1047 is that of a Galera node which has lost the others. */
const isRefused = oneOf([1021, 1037, 1040, 1041, 1047, 1203, 1226, 1461]);
/** Tables, columns, functions, rights or collations are no longer those of the catalogue. */
const isSchemaChanged = oneOf([1054, 1142, 1143, 1146, 1253, 1267, 1271, 1305, 1356]);
/**
 * Values of a filter were checked before they became parameters, so what is refused here is the
 * data; or a function raised it. MariaDB reports what is wrong with JSON or a regular expression by
 * numbers of its own.
 */
const isOfData = oneOf([
  1139, 1172, 1242, 1264, 1292, 1339, 1365, 1366, 1367, 1411, 1416, 1643, 1644, 1690, 3140, 3141,
  3143, 3146, 3157, 3685, 3692, 4036, 4037, 4038, 4039, 4040, 4041, 4042, 4043, 4044,
]);
/**
 * A view or a function that writes, that runs as an account that is dropped or lacks a right, or
 * that nests too deeply; a broken table; a table of another server.
 */
const isUnreadable = oneOf([
  126, 127, 144, 145, 1033, 1034, 1035, 1194, 1195, 1290, 1370, 1418, 1424, 1429, 1430, 1436, 1449,
  1456, 1457, 1792, 1932,
]);
const isDeniedByNumber = oneOf([1044, 1045, 1049, 1130, 1251, 1275, 1698, 2054]);

/** The statement was not sent, since what it belongs to is being stopped. */
export class HaltedError extends Error {
  constructor() {
    super('The connection is being stopped.');
  }
}

/** What the server would have said is unknown: the statement was stopped, or never sent. */
export function isUnsaid(error: unknown): boolean {
  return error instanceof HaltedError || isStopped(error);
}

/**
 * The connection cannot be used any longer. Errors of the operating system and of the protocol
 * carry a code and no number.
 */
export function isLost(error: unknown): boolean {
  if (error instanceof Pools.ConnectionLostError) return true;
  if (!(error instanceof Error)) return false;
  const { code, fatal } = error as Error & { code?: unknown; fatal?: unknown };
  const systemError =
    typeof code === 'string' && /^(E[A-Z]|PROTOCOL_)/.test(code) && !code.startsWith('ER_');
  return isLostByNumber(error) || fatal === true || systemError;
}

/**
 * The login, the name of the database or the demand for TLS is wrong: another attempt fails too.
 */
export function isDenied(error: unknown): error is Error {
  return error instanceof Error && (isDeniedByNumber(error) || isTlsRefused(error));
}

/**
 * The server has no TLS, or a certificate that is not trusted. A connection that breaks during the
 * handshake has the same code as the latter, and another message.
 */
function isTlsRefused(error: unknown): boolean {
  const { code, message } = Object(reasonOf(error)) as { code?: unknown; message?: unknown };
  return (
    code === 'HANDSHAKE_NO_SSL_SUPPORT' ||
    (code === 'HANDSHAKE_SSL_ERROR' && /certificate|altname/i.test(String(message)))
  );
}

/**
 * The error by which a caller learns that a statement failed. It carries neither SQL nor values.
 */
export function toQueryError(error: unknown): Error {
  if (error instanceof QueryFailedError) return error;
  if (isCancelled(error)) return unavailable('The database cancelled the statement.', error);
  if (isOverLimit(error))
    return new QueryFailedError(
      'query_timeout',
      `The database stopped the statement${settingOf(error)}.`,
    );
  if (isLost(error)) return unavailable('The connection to the database was lost.', error);
  if (isSnapshotTooOld(error))
    return unavailable('The table was emptied or altered meanwhile.', error);
  if (isLocked(error)) return unavailable('Others held a lock for too long.', error);
  if (isSchemaChanged(error)) return new QueryFailedError('schema_changed', messageOf(error));
  if (isOfData(error))
    return new QueryFailedError('data_error', `MySQL ${numberOf(error)}`, {
      words: messageOf(error),
    });
  if (isUnreadable(error)) return new QueryFailedError('model_unreadable', describe(error));
  if (isRefused(error)) return unavailable('The database takes no more work.', error);
  return new Error(describe(error));
}

function describe(error: unknown): string {
  return `MySQL ${numberOf(error)}: ${messageOf(error)}`;
}

/** The error by which a caller learns that no connection could be opened. */
export function toConnectError(error: unknown): QueryFailedError {
  return error instanceof QueryFailedError
    ? error
    : unavailable('No connection to the database could be opened.', error);
}

function unavailable(message: string, error: unknown): QueryFailedError {
  const words = `${message} ${messageOf(error)}${settingOf(error)}`;
  return new QueryFailedError('database_unavailable', words);
}

/** The setting that an operator may raise. */
function settingOf(error: unknown): string {
  const setting = SETTINGS.get(numberOf(error));
  return setting === undefined ? '' : ` (its setting ${setting})`;
}

/** Whether an error has one of these numbers. */
function oneOf(numbers: readonly number[]): (error: unknown) => boolean {
  const all = new Set(numbers);
  return (error) => all.has(numberOf(error));
}

function numberOf(error: unknown): number {
  const { errno } = Object(reasonOf(error)) as { errno?: unknown };
  return typeof errno === 'number' ? errno : 0;
}

/** What the server or the system said before the connection was lost. */
function reasonOf(error: unknown): unknown {
  return error instanceof Pools.ConnectionLostError ? (error.cause ?? error) : error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
