import { QueryFailedError } from '@proj/engine/database';

import type { ReaderError } from './reader-protocol.ts';

/**
 * Primary result codes by which SQLite says that the file cannot be read now:
 * https://sqlite.org/rescode.html
 */
const UNAVAILABLE = new Set([3, 5, 6, 7, 8, 10, 11, 13, 14, 15, 26]);

/** Other codes that say the same: Node's, and a reader's own. */
const UNAVAILABLE_CODES = new Set(['ENOENT', 'EACCES', 'UNREADABLE_FILE']);

/**
 * The one result code of everything that is wrong with a statement, or with what it computes; the
 * message says what.
 */
const GENERIC = 1;

/**
 * A statement met a schema that is newer than the one it was prepared for, more often than SQLite
 * tries again.
 */
const SCHEMA = 17;

/** A text is longer than SQLite takes, which for the JSON of a page is 1 GB. */
const TOO_BIG = 18;

/** A value is out of range of an integer. */
const MISMATCH = 20;

/**
 * SQLite prepares a statement again when the schema has changed, and so may find while it runs that
 * something is missing.
 */
const MISSING = /^no such |circularly defined|^ambiguous column|^error in view/;

/** Our own mistake rather than one of the schema. */
const SYNTAX = /syntax error|incomplete input|unrecognized token/;

/** The error by which a caller learns that a request to a reader failed. */
export function toQueryError(failure: ReaderError): Error {
  const { message, errcode, code, preparing } = failure;
  const result = errcode === undefined ? undefined : errcode & 0xff;
  if (
    (code !== undefined && UNAVAILABLE_CODES.has(code)) ||
    (result !== undefined && UNAVAILABLE.has(result))
  ) {
    return new QueryFailedError('database_unavailable', message);
  }
  if (result === SCHEMA || (result === GENERIC && isOfSchema(failure))) {
    return new QueryFailedError('schema_changed', `SQLite: ${message}`);
  }
  if (result === TOO_BIG) return new QueryFailedError('reply_too_large', `SQLite: ${message}`);
  if (!preparing && (result === GENERIC || result === MISMATCH)) {
    return new QueryFailedError('data_error', `SQLite ${result}`, { words: message });
  }
  return new Error(`SQLite: ${message}`);
}

function isOfSchema({ message, preparing }: ReaderError): boolean {
  return preparing ? !SYNTAX.test(message) : MISSING.test(message);
}
