import { Pools, QueryFailedError } from '@proj/engine/database';

/** https://mariadb.com/docs/server/reference/error-codes and MySQL's error message reference. */
const isCancelled = oneOf([1317]);
/** By `kill query`, or because it ran too long. */
export const isStopped = oneOf([1317, 1969, 3024]);
const isOverLimit = oneOf([1038, 1104, 1114, 1153, 1969, 3024, 3636]);
/** For messages: the setting behind a limit, which the server's own text may not name. */
const SETTINGS: ReadonlyMap<number, string> = new Map([
  [1038, 'sort_buffer_size'],
  [1040, 'max_connections'],
  [1104, 'max_join_size'],
  [1153, 'max_allowed_packet'],
  [1969, 'max_statement_time'],
  [3024, 'max_execution_time'],
  [3636, 'cte_max_recursion_depth'],
]);
export const isLocked = oneOf([1205, 1213, 1615]);
/** The table was emptied or altered after the snapshot, which shows nothing of it. */
export const isSnapshotTooOld = oneOf([1412]);
export const isPrivilegeMissing = oneOf([1227]);
export const isNoSuchThread = oneOf([1094]);
const isLostByNumber = oneOf([
  1053, 1077, 1078, 1079, 1080, 1152, 1156, 1157, 1158, 1159, 1160, 1161, 1184, 1927, 2002, 2003,
  2006, 2013, 3169, 4031,
]);
/** Of the server's operating system, as on a full disk: EE_ and system numbers. */
const SYSTEM_NUMBERS = Array.from({ length: 119 }, (_, index) => index + 1);
/** 1047: a Galera node that lost the others. */
const isRefused = oneOf([...SYSTEM_NUMBERS, 1021, 1037, 1040, 1041, 1047, 1203, 1226, 1461]);
/** Tables, columns, functions, rights or collations differ from the catalogue's. */
const isSchemaChanged = oneOf([1054, 1142, 1143, 1146, 1253, 1267, 1271, 1305, 1356]);
/** Bad data, since filter values are checked before. MariaDB numbers some errors itself. */
const isOfData = oneOf([
  1139, 1172, 1242, 1264, 1292, 1339, 1365, 1366, 1367, 1411, 1416, 1643, 1644, 1690, 3140, 3141,
  3143, 3146, 3157, 3685, 3692, 4036, 4037, 4038, 4039, 4040, 4041, 4042, 4043, 4044,
]);
/** Views or functions that write, lack an account or right, or nest too deeply; broken tables. */
const isUnreadable = oneOf([
  126, 127, 144, 145, 1033, 1034, 1035, 1194, 1195, 1290, 1370, 1418, 1424, 1429, 1430, 1436, 1449,
  1456, 1457, 1792, 1932,
]);
const isDeniedByNumber = oneOf([1044, 1045, 1049, 1130, 1251, 1275, 1698, 2054]);

export class HaltedError extends Error {
  constructor() {
    super('The connection is being stopped.');
  }
}

/** The server's answer is unknown: the statement was stopped, or never sent. */
export function isUnsaid(error: unknown): boolean {
  return error instanceof HaltedError || isStopped(error);
}

/** Errors of the operating system and of the protocol carry a code and no number. */
export function isLost(error: unknown): boolean {
  if (error instanceof Pools.ConnectionLostError) return true;
  if (!(error instanceof Error)) return false;
  const { code, fatal } = error as Error & { code?: unknown; fatal?: unknown };
  const systemError = typeof code === 'string' && /^(E(?![ER]_)[A-Z]|PROTOCOL_)/.test(code);
  return isLostByNumber(error) || fatal === true || systemError;
}

/** Wrong login, database or TLS setting: another attempt fails too. */
export function isDenied(error: unknown): error is Error {
  return error instanceof Error && (isDeniedByNumber(error) || isTlsRefused(error));
}

/** A handshake that breaks has the code of an untrusted certificate, and another message. */
function isTlsRefused(error: unknown): boolean {
  const { code, message } = Object(reasonOf(error)) as { code?: unknown; message?: unknown };
  return (
    code === 'HANDSHAKE_NO_SSL_SUPPORT' ||
    (code === 'HANDSHAKE_SSL_ERROR' && /certificate|altname/i.test(String(message)))
  );
}

/** Why the database does not answer, by the first that holds. */
const UNAVAILABLE: readonly (readonly [isOf: (error: unknown) => boolean, why: string])[] = [
  [isCancelled, 'The database cancelled the statement.'],
  [isLost, 'The connection to the database was lost.'],
  [isSnapshotTooOld, 'The table was emptied or altered meanwhile.'],
  [isLocked, 'Others held a lock for too long.'],
  [isRefused, 'The database takes no more work.'],
];

export function toQueryError(error: unknown): Error {
  if (error instanceof QueryFailedError) return error;
  if (isOverLimit(error)) {
    const message = `The database stopped the statement${settingOf(error)}.`;
    return new QueryFailedError('query_timeout', message);
  }
  const [, why] = UNAVAILABLE.find(([isOf]) => isOf(error)) ?? [];
  if (why !== undefined) return unavailable(why, error);
  const words = messageOf(error);
  if (isSchemaChanged(error)) return new QueryFailedError('schema_changed', words);
  if (isOfData(error))
    return new QueryFailedError('data_error', `MySQL ${numberOf(error)}`, { words });
  const described = `MySQL ${numberOf(error)}: ${words}`;
  return isUnreadable(error)
    ? new QueryFailedError('model_unreadable', described)
    : new Error(described);
}

export function toConnectError(error: unknown): QueryFailedError {
  return error instanceof QueryFailedError
    ? error
    : unavailable('No connection to the database could be opened.', error);
}

function unavailable(message: string, error: unknown): QueryFailedError {
  const words = `${message} ${messageOf(error)}${settingOf(error)}`;
  return new QueryFailedError('database_unavailable', words);
}

function settingOf(error: unknown): string {
  const setting = SETTINGS.get(numberOf(error));
  return setting === undefined ? '' : ` (its setting ${setting})`;
}

function oneOf(numbers: readonly number[]): (error: unknown) => boolean {
  const all = new Set(numbers);
  return (error) => all.has(numberOf(error));
}

function numberOf(error: unknown): number {
  const { errno } = Object(reasonOf(error)) as { errno?: unknown };
  return typeof errno === 'number' ? errno : 0;
}

function reasonOf(error: unknown): unknown {
  return error instanceof Pools.ConnectionLostError ? (error.cause ?? error) : error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function isOfStatement(error: unknown): error is Error {
  const { sqlState } = Object(reasonOf(error)) as { sqlState?: unknown };
  const isOfState = isLost(error) || isDenied(error) || isLocked(error) || isRefused(error);
  return error instanceof Error && !isOfState && typeof sqlState === 'string';
}
