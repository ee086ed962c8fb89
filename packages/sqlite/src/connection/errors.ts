import { QueryFailedError } from '@proj/engine/database';

import type { ReaderError } from './reader-protocol.ts';

/** SQLite's primary codes for a file that cannot be read now: https://sqlite.org/rescode.html */
const UNAVAILABLE = new Set([3, 5, 6, 7, 8, 10, 11, 13, 14, 15, 26]);

/** Node's codes for the same, and a reader's own. */
const UNAVAILABLE_CODES = new Set(['ENOENT', 'EACCES', 'UNREADABLE_FILE']);

/** SQLite's code for any wrong statement or computation; the message says which. */
const GENERIC = 1;

/** The schema kept changing while a statement was prepared. */
const SCHEMA = 17;

/** A text exceeds SQLite's limit: 1 GB for the JSON of a page. */
const TOO_BIG = 18;

const MISMATCH = 20;

/** SQLite prepares again when the schema changes, so a running statement may miss something. */
const MISSING = /^no such |circularly defined|^ambiguous column|^error in view/;

/** Our own mistake rather than one of the schema. */
const SYNTAX = /syntax error|incomplete input|unrecognized token/;

export function toQueryError(failure: ReaderError): Error {
  const { message, errcode, code, preparing } = failure;
  const result = errcode === undefined ? undefined : errcode & 0xff;
  if (
    (code !== undefined && UNAVAILABLE_CODES.has(code)) ||
    (result !== undefined && UNAVAILABLE.has(result))
  ) {
    return new QueryFailedError('database_unavailable', message);
  }
  const isOfSchema = failure.preparing ? !SYNTAX.test(message) : MISSING.test(message);
  if (result === SCHEMA || (result === GENERIC && isOfSchema)) {
    return new QueryFailedError('schema_changed', `SQLite: ${message}`);
  }
  if (result === TOO_BIG) return new QueryFailedError('reply_too_large', `SQLite: ${message}`);
  if (!preparing && (result === GENERIC || result === MISMATCH)) {
    return new QueryFailedError('data_error', `SQLite ${result}`, { words: message });
  }
  return new Error(`SQLite: ${message}`);
}
